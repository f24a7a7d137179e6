// One outcome, told in two ways: to a person as a page or a redirect with a message, to a program as JSON.
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import * as Accept from "../../src/http/Accept.ts"
import type { Notice } from "../../src/http/Layout.ts"
import * as Private from "../http/Private.ts"
import * as Respond from "../http/Respond.ts"
import * as Flash from "./Flash.ts"
import * as Screen from "./Screen.ts"
import type { Faults } from "./Submission.ts"

const forProgram = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  Accept.prefersJson(headers["accept"])
)

const json = (value: unknown, status = 200) => Respond.json(value, { status, headers: Private.headers })

/** What a program is told. */
export interface Told {
  readonly status?: number
  readonly value: unknown
}

/** Leads a person on without a word. */
export const led = Effect.fnUntraced(function* (to: string, told: Told) {
  return (yield* forProgram) ? json(told.value, told.status) : Respond.seeOther(to, Private.headers)
})

/** It is done: a person is led on and finds the message there, a program gets the message or what it asked for. */
export const done = Effect.fnUntraced(function* (to: string, notice: Notice, told?: Told) {
  if (yield* forProgram) return json(told?.value ?? { message: notice.text }, told?.status)
  yield* Flash.leave(notice)
  return Respond.seeOther(to, Private.headers)
})

/** The link leads nowhere any more. */
export const gone = Effect.fnUntraced(function* (to: string, text: string) {
  if (yield* forProgram) return json({ error: text }, 410)
  yield* Flash.leave(Flash.bad(text))
  return Respond.seeOther(to, Private.headers)
})

/** A page, or what stands on it. */
export const shown = <E, R>(screen: Effect.Effect<Screen.Screen, E, R>, value?: unknown) =>
  Effect.flatMap(forProgram, (program) =>
    program && value !== undefined
      ? Effect.succeed(json(value))
      : Effect.flatMap(screen, (page) => (program ? Effect.succeed(json({ message: page.title })) : Screen.show(page)))
  )

/** Why a form was not taken. */
export interface Refusal {
  readonly status: 401 | 422
  readonly error: string
  readonly faults?: Faults
}

/** The form again, with what is wrong; the screen says `error` as its problem. */
export const refused = <E, R>({ error, faults = {}, status }: Refusal, screen: Effect.Effect<Screen.Screen, E, R>) =>
  Effect.flatMap(forProgram, (program) =>
    program
      ? Effect.succeed(json(Object.keys(faults).length === 0 ? { error } : { error, fields: faults }, status))
      : Effect.flatMap(screen, (page) => Screen.show({ ...page, problem: error }, status))
  )
