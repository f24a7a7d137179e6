// Who the user is depends on the guard around a handler alone, and not on the guards that ran before it.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import * as Access from "../../../routes/auth/Access.ts"
import { Authentication, toSignIn } from "../../../routes/auth/Authentication.ts"
import { AccountId, CurrentIdentity } from "../../../src/session/Identity.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { enroll, signedIn, stores } from "../../layers/auth/Stores.ts"
import { sqlite } from "../../support/Databases.ts"
import { send } from "./PipelineRequest.ts"

const guardOf = (email: string) =>
  Authentication(
    [Effect.succeedSome({ id: AccountId.make(email), email, verified: true })],
    toSignIn("/login", "Sign in.")
  )

const other = guardOf("other@example.com")

const email = Effect.map(CurrentIdentity, (identity) => identity.email)
const page = Effect.map(email, (text) => HttpServerResponse.text(text))
const bodyOf = (response: HttpServerResponse.HttpServerResponse) =>
  Effect.promise(() => HttpServerResponse.toWeb(response).text())
const shown = (texts: ReadonlyArray<string>) => HttpServerResponse.text(texts.join(" "))

const inside = Effect.gen(function* () {
  const first = yield* email
  const nested = yield* Effect.flatMap(other(page), bodyOf)
  return shown([first, nested, yield* email])
})

/** Each of the two waits for the other one before it reads who its user is. */
const together = Effect.gen(function* () {
  const gates = [yield* Deferred.make<void>(), yield* Deferred.make<void>()] as const
  const waiting = (own: 0 | 1, their: 0 | 1) =>
    Effect.zipRight(Deferred.succeed(gates[own], undefined), Effect.zipRight(Deferred.await(gates[their]), page))
  const one = guardOf("one@example.com")(waiting(0, 1))
  const two = guardOf("two@example.com")(waiting(1, 0))
  const responses = yield* Effect.all([one, two], { concurrency: "unbounded" })
  return shown([...(yield* Effect.forEach(responses, bodyOf)), yield* email])
})

const interrupted = Effect.gen(function* () {
  const started = yield* Deferred.make<void>()
  const waiting = other(Effect.zipRight(Deferred.succeed(started, undefined), Effect.never))
  yield* Effect.raceFirst(waiting, Deferred.await(started))
  yield* Effect.exit(other(Effect.interrupt))
  yield* Effect.exit(other(Effect.die("broken")))
  return shown([yield* email])
})

const pages = {
  "/inside": Access.requireUser(inside),
  "/together": Access.requireUser(together),
  "/interrupted": Access.requireUser(interrupted)
} as const

type Path = keyof typeof pages
const paths: ReadonlyArray<Path> = ["/inside", "/together", "/interrupted"]

const expected = (user: string): Readonly<Record<Path, string>> => ({
  "/inside": `${user} other@example.com ${user}`,
  "/together": `one@example.com two@example.com ${user}`,
  "/interrupted": user
})

layer(TestApp.layer(paths.map((path) => HttpLayerRouter.route("GET", path, pages[path]))))("over a socket", (it) => {
  for (const path of paths) {
    it.effect(`the identity is that of the nearest guard at ${path}`, () =>
      Effect.gen(function* () {
        const client = yield* TestApp.signedInUser()
        const body = expected(client.user.email)[path]
        expect(yield* client.get(path)).toMatchObject({ status: 200, body })
      })
    )
  }
})

layer(stores(sqlite))("in process", (it) => {
  for (const path of paths) {
    it.effect(`the identity is that of the nearest guard at ${path}`, () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = yield* signedIn(identity)
        const body = expected(identity.email)[path]
        expect(yield* send(pages[path], { browser })).toMatchObject({ status: 200, body })
      })
    )
  }
})
