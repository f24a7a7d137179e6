import { HttpServerResponse } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Redacted } from "effect"
import { requireGuest, requireUser } from "../../../routes/auth/Access.ts"
import { home } from "../../../routes/auth/internal/AuthPaths.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { Browser, enroll, signedIn, stores } from "../../layers/auth/Stores.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { send } from "./PipelineRequest.ts"

const shown = Effect.succeed(HttpServerResponse.text("shown"))

/** Sessions that load the user only after `ready`, and record when they are called. */
const slowSessions = (reading: Deferred.Deferred<void>, ready: Deferred.Deferred<void>) =>
  Effect.map(Sessions, (sessions) =>
    Sessions.of({
      ...sessions,
      attach: (state, headers) => {
        const session = sessions.attach(state, headers)
        if (Object.hasOwn(session, "identity")) return session
        const wait = Effect.zipRight(Deferred.succeed(reading, undefined), Deferred.await(ready))
        return Object.defineProperty(session, "identity", { value: Effect.zipRight(wait, session.identity) })
      }
    })
  )

describeDatabases("Access", (database) => {
  layer(stores(database))((it) => {
    it.effect("shows a page for guests to guests, and redirects everyone else to the account", () =>
      Effect.gen(function* () {
        const page = requireGuest(shown)
        expect(yield* send(page, { browser: new Browser() })).toMatchObject({ status: 200, body: "shown" })
        const member = yield* signedIn(yield* enroll)
        expect(yield* send(page, { browser: member })).toMatchObject({ status: 303, headers: { location: home } })
      })
    )

    const pages = { requireGuest: [requireGuest(shown), 303], requireUser: [requireUser(shown), 200] } as const

    it.effect.each(["requireGuest", "requireUser"] as const)(
      "lets a remembered visitor of %s share the rotation of one who came with them, however long the session takes",
      (name) =>
        Effect.gen(function* () {
          const [page, status] = pages[name]
          const { id } = yield* enroll
          const fast = new Browser()
          fast.jar.set("remember", Redacted.value((yield* Effect.flatMap(Trust, ({ issue }) => issue(id))).value))
          const slow = fast.copy()
          const [reading, ready] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          const held = Effect.provideServiceEffect(
            send(page, { browser: slow }),
            Sessions,
            slowSessions(reading, ready)
          )
          const late = yield* Effect.fork(held)
          yield* Deferred.await(reading)
          expect((yield* send(page, { browser: fast })).status).toBe(status)
          yield* Deferred.succeed(ready, undefined)
          expect((yield* Fiber.join(late)).status).toBe(status)
          expect(slow.jar.get("remember")).toBe(fast.jar.get("remember"))
        })
    )
  })
})
