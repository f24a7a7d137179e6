import { HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as RequestSession from "../../../routes/session/RequestSession.ts"
import { TooManyRequests } from "../../../src/session/RateLimit.ts"
import type { Session } from "../../../src/session/Session.ts"
import { sqlite } from "../../support/Databases.ts"
import { Browser, enroll, signedIn, stores } from "../../layers/auth/Stores.ts"
import { send } from "../auth/PipelineRequest.ts"

const onSession = <A>(use: (session: Session) => Effect.Effect<A>) =>
  Effect.as(Effect.flatMap(RequestSession.current, use), HttpServerResponse.empty())

const flashOf = (browser: Browser) =>
  Effect.map(
    browser.visit((session) => session.get("flash")),
    ({ value }) => value
  )

layer(stores(sqlite))("SessionCookie", (it) => {
  it.effect("costs nothing on a route that never touches the session, whatever cookie comes", () =>
    Effect.gen(function* () {
      const browser = yield* signedIn(yield* enroll)
      // A session store that has lost its table: every read fails.
      const sql = yield* SqlClient.SqlClient
      yield* sql`ALTER TABLE sessions RENAME TO away`
      const response = yield* send(Effect.succeed(HttpServerResponse.text("hello")), { browser })
      yield* sql`ALTER TABLE away RENAME TO sessions`
      expect(response).toMatchObject({ status: 200, body: "hello", lines: [] })
    })
  )

  it.effect("commits before the response is sent", () =>
    Effect.gen(function* () {
      const browser = new Browser()
      yield* send(
        onSession((session) => session.set("flash", "Hello")),
        { browser }
      )
      expect(yield* flashOf(browser)).toEqual(Option.some("Hello"))
    })
  )

  it.effect("gives every step of a request the same session", () =>
    Effect.gen(function* () {
      const twice = Effect.all([RequestSession.current, RequestSession.current])
      const sessions: Array<Session> = []
      yield* send(Effect.map(twice, (found) => (sessions.push(...found), HttpServerResponse.empty())))
      expect(sessions[0]).toBe(sessions[1])
    })
  )

  it.effect("commits when the handler fails with a response", () =>
    Effect.gen(function* () {
      const browser = new Browser()
      const refused = Effect.zipRight(
        onSession((session) => session.set("flash", "Slow down")),
        new TooManyRequests({ scope: "login", retryAfter: 5 })
      )
      expect((yield* send(refused, { browser })).status).toBe(429)
      expect(yield* flashOf(browser)).toEqual(Option.some("Slow down"))
    })
  )

  it.effect("leaves the session as it was after a defect", () =>
    Effect.gen(function* () {
      const browser = new Browser()
      const broken = Effect.zipRight(
        onSession((session) => session.set("flash", "Half done")),
        Effect.dieMessage("boom")
      )
      expect(yield* send(broken, { browser })).toMatchObject({ status: 500, lines: [] })
      expect(yield* flashOf(browser)).toEqual(Option.none())
    })
  )
})
