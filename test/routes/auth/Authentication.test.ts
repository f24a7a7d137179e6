import { signIn } from "../../../src/session/internal/SessionGrants.ts"
import { HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Option, Redacted, TestClock } from "effect"
import { expectTypeOf } from "vitest"
import { Authentication, RememberGuard, SessionGuard, toSignIn } from "../../../routes/auth/Authentication.ts"
import * as SessionCookie from "../../../routes/session/internal/SessionCookie.ts"
import { CurrentIdentity, type Identity } from "../../../src/session/Identity.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { Browser, enroll, signedIn, stores } from "../../layers/auth/Stores.ts"
import { send } from "./PipelineRequest.ts"
import * as RememberDevice from "../../../routes/auth/RememberDevice.ts"

const whoami = Effect.map(CurrentIdentity, ({ email }) => HttpServerResponse.text(email))

const protect = Authentication([SessionGuard, RememberGuard], toSignIn("/login", "Sign in to continue."))
const account = protect(whoami)

/** A browser with nothing but a remember cookie. */
const remembered = (identity: Identity) =>
  Effect.gen(function* () {
    const trust = yield* Trust
    const browser = new Browser()
    browser.jar.set("remember", Redacted.value((yield* trust.issue(identity.id)).value))
    return browser
  })

const countOf = (table: "trusts" | "sessions", user: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql`SELECT 1 AS one FROM ${sql(table)} WHERE user_id = ${user}`, (rows) => rows.length)
  )

describe("Authentication", () => {
  it("does not compile a handler that reads an identity without a guard", () => {
    expectTypeOf<Effect.Effect.Context<typeof whoami>>().toEqualTypeOf<CurrentIdentity>()
    expectTypeOf<Extract<Effect.Effect.Context<typeof account>, CurrentIdentity>>().toEqualTypeOf<never>()
    expectTypeOf<Extract<Effect.Effect.Context<typeof account>, Trust>>().toEqualTypeOf<Trust>()
  })
})

describeDatabases("Authentication", (database) => {
  layer(stores(database))((it) => {
    it.effect("gives the handler the identity of the session", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = yield* signedIn(identity)
        expect(yield* send(account, { browser })).toMatchObject({ status: 200, body: identity.email, lines: [] })
      })
    )

    it.effect("reads the session first, and rotates only on a miss", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = yield* signedIn(identity)
        const before = (yield* remembered(identity)).jar.get("remember") ?? ""
        browser.jar.set("remember", before)
        expect((yield* send(account, { browser })).lines).toEqual([])
        const trust = yield* Trust
        expect(Option.isSome(yield* trust.rotate(Redacted.make(before)))).toBe(true)
      })
    )

    it.effect("redirects a guest to the sign-in page and stores the target of a GET", () =>
      Effect.gen(function* () {
        const guest = new Browser()
        const response = yield* send(account, { browser: guest, url: "/account?tab=2" })
        expect(response).toMatchObject({ status: 303, headers: { location: "/login" } })
        const { value } = yield* guest.visit((session) => Effect.all([session.get("intended"), session.get("flash")]))
        expect(value).toEqual([Option.some("/account?tab=2"), Option.some("Sign in to continue.")])
      })
    )

    it.effect("does not keep where anything but a GET wanted to go", () =>
      Effect.gen(function* () {
        const guest = new Browser()
        yield* send(account, { browser: guest, method: "HEAD", url: "/account" })
        expect((yield* guest.visit((session) => session.get("intended"))).value).toEqual(Option.none())
      })
    )

    it.effect("tells a JSON client 401 and redirects it nowhere", () =>
      Effect.gen(function* () {
        const response = yield* send(account, { headers: { accept: "application/json" } })
        expect(response).toMatchObject({ status: 401, body: '{"error":"Unauthorized"}', lines: [] })
      })
    )

    const fallbacks: ReadonlyArray<readonly [string, HttpServerResponse.HttpServerResponse, number]> = [
      ["a redirect", HttpServerResponse.redirect("/elsewhere", { status: 307 }), 307],
      ["a page", HttpServerResponse.text("Members only", { status: 200 }), 401],
      ["a refusal of its own", HttpServerResponse.text("No", { status: 403 }), 401],
      ["a redirect to nowhere", HttpServerResponse.empty({ status: 303 }), 401]
    ]
    for (const [name, response, status] of fallbacks) {
      it.effect(`responds with ${status} for a fallback that is ${name}`, () =>
        Effect.gen(function* () {
          const guarded = Authentication([SessionGuard], Effect.succeed(response))(whoami)
          expect((yield* send(guarded)).status).toBe(status)
        })
      )
    }

    it.effect("resumes a session from a remember cookie: rotated, regenerated, re-emitted", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = yield* remembered(identity)
        const old = browser.copy()
        const { lines, ...response } = yield* send(account, { browser })
        expect(response).toMatchObject({ status: 200, body: identity.email })
        expect(lines).toHaveLength(2)
        expect(lines.find((line) => line.startsWith("remember="))).toMatch(
          /^remember=[0-9a-f]{16}\.[0-9a-f]{64}; Max-Age=2592000; Path=\/; Secure; HttpOnly; SameSite=Lax$/
        )
        const [before = "", after = ""] = [old.jar.get("remember"), browser.jar.get("remember")]
        expect(after.split(".")[0]).toBe(before.split(".")[0])
        expect(after).not.toBe(before)
        expect(yield* browser.identity).toEqual(Option.some(identity))
        expect((yield* send(account, { browser })).lines).toEqual([])
      })
    )

    it.effect("clears the cookie, declines and revokes all on a replayed validator", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = yield* remembered(identity)
        const thief = browser.copy()
        yield* send(account, { browser })
        const response = yield* send(account, { browser: thief })
        expect(response.status).toBe(303)
        expect(response.lines).toContain("remember=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax")
        expect([yield* countOf("trusts", identity.id), yield* countOf("sessions", identity.id)]).toEqual([0, 0])
        expect(yield* browser.isSignedIn).toBe(false)
      })
    )

    it.effect("leaves the cookie alone for an unknown, expired or malformed token", () =>
      Effect.gen(function* () {
        const expired = yield* remembered(yield* enroll)
        yield* TestClock.adjust("31 days")
        const values = [`${"0".repeat(16)}.${"0".repeat(64)}`, "x", "", expired.jar.get("remember") ?? ""]
        for (const value of values) {
          const browser = new Browser()
          browser.jar.set("remember", value)
          const response = yield* send(account, { browser })
          expect(response.status).toBe(303)
          expect(response.lines.filter((line) => line.startsWith("remember="))).toEqual([])
        }
      })
    )

    it.effect("shares one rotation among requests that come at once with the same cookie", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = yield* remembered(identity)
        const tabs = Array.from({ length: 10 }, () => browser.copy())
        const responses = yield* Effect.forEach(tabs, (tab) => send(account, { browser: tab }), {
          concurrency: "unbounded"
        })
        expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]))
        expect(new Set(tabs.map((tab) => tab.jar.get("remember"))).size).toBe(1)
        expect(yield* countOf("trusts", identity.id)).toBe(1)
        for (const tab of tabs) expect(yield* tab.identity).toEqual(Option.some(identity))
      })
    )

    it.effect("does not resume a device whose account was revoked while it did", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const identity = yield* enroll
        const browser = yield* remembered(identity)
        const response = yield* send(protect(Effect.zipRight(sessions.revoke(identity.id), whoami)), { browser })
        expect(response.lines.filter((line) => line.startsWith("session="))).toEqual([])
        expect(yield* browser.isSignedIn).toBe(false)
        expect(yield* countOf("sessions", identity.id)).toBe(0)
      })
    )

    it.effect("does not trust a device whose account was revoked while its password was checked", () =>
      Effect.gen(function* () {
        const trust = yield* Trust
        const identity = yield* enroll
        const browser = new Browser()
        const login = Effect.gen(function* () {
          const session = yield* SessionCookie.current
          yield* session.trackRevocations
          // Here the old password is found right. Meanwhile its owner changes it:
          yield* trust.revoke(identity.id)
          yield* session[signIn](identity)
          yield* RememberDevice.trust(identity.id)
          return HttpServerResponse.empty()
        })
        expect((yield* send(login, { browser })).lines).toEqual([])
        expect([yield* countOf("trusts", identity.id), yield* countOf("sessions", identity.id)]).toEqual([0, 0])
      })
    )

    it.effect("forgets the presented series and its cookie when a device is dismissed", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = yield* remembered(identity)
        const other = yield* remembered(identity)
        const leave = Effect.as(RememberDevice.forget, HttpServerResponse.empty())
        const { lines } = yield* send(leave, { browser })
        expect(lines).toEqual(["remember=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax"])
        expect(yield* countOf("trusts", identity.id)).toBe(1)
        expect((yield* send(account, { browser: other })).status).toBe(200)
        expect((yield* send(leave, { browser: new Browser() })).lines).toEqual([])
      })
    )
  })
})
