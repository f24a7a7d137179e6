import { HttpServerResponse } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Redacted, TestClock } from "effect"
import { Authentication, SessionGuard } from "../../../routes/auth/Authentication.ts"
import * as CsrfCheck from "../../../routes/session/CsrfCheck.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import { Password } from "../../../src/auth/Password.ts"
import { Users } from "../../../src/auth/Users.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { Browser, enroll, signedIn, stores } from "../../layers/auth/Stores.ts"
import { type RequestParts, send } from "../auth/PipelineRequest.ts"

const done = Effect.succeed(HttpServerResponse.text("done"))
const form = Effect.map(CsrfCheck.token, (token) => HttpServerResponse.text(token))

let count = 0
const fresh = (limit = 2) => ({ scope: `scope-${count++}`, limit, window: "60 seconds" }) as const

const withToken = (browser: Browser) =>
  Effect.map(send(form, { browser }), ({ body }): RequestParts => ({ browser, form: { _token: body } }))

describeDatabases("RateLimit.middleware", (database) => {
  layer(stores(database))((it) => {
    it.effect("responds with 429 and Retry-After over the limit, and has the limit in every response", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(1_700_000_000_000)
        const limited = RateLimit.middleware(fresh())(done)
        const parts = yield* withToken(new Browser())
        const responses = [yield* send(limited, parts), yield* send(limited, parts), yield* send(limited, parts)]
        expect(responses.map(({ status }) => status)).toEqual([200, 200, 429])
        for (const [index, { headers }] of responses.entries()) {
          expect(headers).toMatchObject({
            "x-ratelimit-limit": "2",
            "x-ratelimit-remaining": String(Math.max(0, 1 - index)),
            "x-ratelimit-reset": "1700000060"
          })
          expect(headers["retry-after"]).toBe(index < 2 ? undefined : "60")
        }
        yield* TestClock.adjust("60 seconds")
        expect((yield* send(limited, parts)).status).toBe(200)
      })
    )

    it.effect("has the wait of Retry-After on the page and in JSON", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(1_700_000_000_000)
        const limited = RateLimit.middleware({ ...fresh(1), window: "600 seconds" })(done)
        const parts = yield* withToken(new Browser())
        yield* send(limited, parts)
        const said = Effect.fnUntraced(function* () {
          const page = yield* send(limited, parts)
          const told = yield* send(limited, { ...parts, headers: { accept: "application/json" } })
          expect(page.headers["retry-after"]).toBe(told.headers["retry-after"])
          const { error } = JSON.parse(told.body)
          expect(page.body).toContain(error)
          return [page.headers["retry-after"], error]
        })
        expect(yield* said()).toEqual(["600", "Too many requests. Try again in 10 minutes."])
        yield* TestClock.adjust("510 seconds")
        expect(yield* said()).toEqual(["90", "Too many requests. Try again in 90 seconds."])
        yield* TestClock.adjust("89 seconds")
        expect(yield* said()).toEqual(["1", "Too many requests. Try again in 1 second."])
      })
    )

    it.effect("counts every peer apart, and all addresses of one /64 together", () =>
      Effect.gen(function* () {
        const limited = RateLimit.middleware(fresh(1))(done)
        const parts = yield* withToken(new Browser())
        const peers = ["192.0.2.1", "192.0.2.2", "192.0.2.1", "2001:db8::1", "2001:db8::ffff:2", "2001:db8:0:1::1"]
        const statuses = yield* Effect.forEach(peers, (peer) =>
          Effect.map(send(limited, { ...parts, peer }), ({ status }) => status)
        )
        expect(statuses).toEqual([200, 200, 429, 200, 429, 200])
      })
    )

    it.effect("counts by any key it is given", () =>
      Effect.gen(function* () {
        const limited = RateLimit.middleware(fresh(1), Effect.succeed("one for all"))(done)
        const parts = yield* withToken(new Browser())
        expect((yield* send(limited, { ...parts, peer: "192.0.2.1" })).status).toBe(200)
        expect((yield* send(limited, { ...parts, peer: "192.0.2.2" })).status).toBe(429)
      })
    )

    it.effect("names the limit that refuses when a route has two", () =>
      Effect.gen(function* () {
        const [outer, inner] = [fresh(5), fresh(1)]
        const limited = RateLimit.middleware(outer)(Effect.zipRight(RateLimit.spend(inner, "account"), done))
        const parts = yield* withToken(new Browser())
        const first = yield* send(limited, parts)
        const second = yield* send(limited, parts)
        expect([first.headers["x-ratelimit-limit"], second.headers["x-ratelimit-limit"]]).toEqual(["5", "1"])
        expect(second).toMatchObject({ status: 429, headers: { "x-ratelimit-remaining": "0" } })
      })
    )

    it.effect("hashes no password for a refused request", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const password = yield* Password
        let hashed = 0
        const counting = {
          ...password,
          verify: (...given: Parameters<typeof password.verify>) => {
            hashed++
            return password.verify(...given)
          }
        }
        const login = Effect.gen(function* () {
          const { verify } = yield* Password
          yield* verify(undefined, Redacted.make("guess"))
          yield* users.fetch("someone@example.com")
          return HttpServerResponse.empty({ status: 401 })
        })
        const limited = RateLimit.middleware(fresh(5))(login)
        const parts = yield* withToken(new Browser())
        const responses = yield* Effect.replicateEffect(
          Effect.provideService(send(limited, parts), Password, counting),
          20
        )
        expect(responses.filter(({ status }) => status === 429)).toHaveLength(15)
        expect(hashed).toBe(5)
      })
    )

    it.effect("comes after the CSRF check and the guard: what they refuse does not count", () =>
      Effect.gen(function* () {
        const guard = Authentication([SessionGuard], Effect.succeed(HttpServerResponse.redirect("/login")))
        const limited = guard(RateLimit.middleware(fresh(1))(done))
        const member = yield* signedIn(yield* enroll)
        const parts = yield* withToken(member)
        expect((yield* send(limited, { browser: member, form: {} })).status).toBe(403)
        expect((yield* send(limited, yield* withToken(new Browser()))).status).toBe(302)
        expect((yield* send(limited, parts)).status).toBe(200)
        expect((yield* send(limited, parts)).status).toBe(429)
      })
    )
  })
})
