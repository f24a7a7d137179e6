// One outcome, told in two ways: to a person as a page or a redirect with a message, to a program as JSON.
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import * as Accept from "../../src/http/Accept.ts"
import type { Notice } from "../../src/http/Layout.ts"
import * as NoStore from "../http/NoStore.ts"
import * as Respond from "../http/Respond.ts"
import * as Flash from "./Flash.ts"
import * as Page from "./Page.ts"
import type { FieldErrors } from "./FormRequest.ts"

const forProgram = Effect.map(HttpServerRequest.HttpServerRequest, ({ headers }) =>
  Accept.prefersJson(headers["accept"])
)

const json = (value: unknown, status = 200) => Respond.json(value, { status, headers: NoStore.headers })

/** What a program is told. */
export interface JsonReply {
  readonly status?: number
  readonly value: unknown
}

/** Leads a person on without a word. */
export const redirect = Effect.fnUntraced(function* (to: string, told: JsonReply) {
  return (yield* forProgram) ? json(told.value, told.status) : Respond.seeOther(to, NoStore.headers)
})

/** It is done: a person is led on and finds the message there, a program gets the message or what it asked for. */
export const redirectWithFlash = Effect.fnUntraced(function* (to: string, notice: Notice, told?: JsonReply) {
  if (yield* forProgram) return json(told?.value ?? { message: notice.text }, told?.status)
  yield* Flash.leave(notice)
  return Respond.seeOther(to, NoStore.headers)
})

/** The link leads nowhere any more. */
export const gone = Effect.fnUntraced(function* (to: string, text: string) {
  if (yield* forProgram) return json({ error: text }, 410)
  yield* Flash.leave(Flash.bad(text))
  return Respond.seeOther(to, NoStore.headers)
})

/** A page, or what stands on it. */
export const render = <E, R>(screen: Effect.Effect<Page.Page, E, R>, value?: unknown) =>
  Effect.flatMap(forProgram, (program) =>
    program && value !== undefined
      ? Effect.succeed(json(value))
      : Effect.flatMap(screen, (page) => (program ? Effect.succeed(json({ message: page.title })) : Page.render(page)))
  )

/** Why a form was not taken. */
export interface Invalid {
  readonly status: 401 | 422
  readonly error: string
  readonly faults?: FieldErrors
}

/** The form again, with what is wrong; the screen says `error` as its problem. */
export const renderInvalid = <E, R>({ error, faults = {}, status }: Invalid, screen: Effect.Effect<Page.Page, E, R>) =>
  Effect.flatMap(forProgram, (program) =>
    program
      ? Effect.succeed(json(Object.keys(faults).length === 0 ? { error } : { error, fields: faults }, status))
      : Effect.flatMap(screen, (page) => Page.render({ ...page, problem: error }, status))
  )
