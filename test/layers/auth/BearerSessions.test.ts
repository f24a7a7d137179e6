// Sessions of clients without cookies: rows like those of cookies, under a secret of another shape.
import { openBearer } from "../../../src/session/internal/SessionGrants.ts"
import { expect, layer } from "@effect/vitest"
import { Duration, Effect, Option, Redacted, TestClock } from "effect"
import { createHash } from "node:crypto"
import { type BearerSession, type Session, Sessions } from "../../../src/session/Session.ts"
import { Users } from "../../../src/auth/Users.ts"
import { Browser, enroll, requestState, signedIn, stores } from "./Stores.ts"
import { describeTables, query } from "./TableVariants.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

/** One request with this secret and this cookie: the handler, then the commit. */
const request = <A, E, R>(
  secret: Redacted.Redacted,
  handler: (session: Session) => Effect.Effect<A, E, R>,
  cookie?: string
) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const opened = yield* requestState()
    const value = yield* handler(sessions.attachBearer(opened, { cookie }, secret))
    yield* opened.session?.commit ?? Effect.void
    return { value, cookies: [...opened.cookies.values()] }
  })

const identityOf = (secret: Redacted.Redacted) =>
  Effect.map(
    request(secret, (session) => session.identity),
    ({ value }) => value
  )

const isSignedIn = (secret: Redacted.Redacted) => Effect.map(identityOf(secret), Option.isSome)

const opened = Effect.fnUntraced(function* () {
  const sessions = yield* Sessions
  const identity = yield* enroll
  const found = yield* sessions[openBearer](identity)
  const { expires, secret } = Option.getOrThrow(found) satisfies BearerSession
  return { identity, secret, expires, sessions }
})

describeTables("Bearer sessions", (database, tables) => {
  layer(stores(database, { sessionIdle: Duration.hours(2), sessionTtl: Duration.days(30) }, tables))((it) => {
    it.effect("are rows under the digest of a secret that nothing stores or shows", () =>
      Effect.gen(function* () {
        const { expires, identity, secret } = yield* opened()
        const text = Redacted.value(secret)
        expect(text).toMatch(/^efs_[0-9A-Za-z]{49}$/)
        expect(String(secret)).not.toContain(text)
        const rows = yield* query(
          (sql) => sql<{ key: string }>`SELECT * FROM ${sql(tables.sessions)} WHERE user_id = ${identity.id}`
        )
        expect(rows.map(({ key }) => key)).toEqual([sha256(text)])
        expect(JSON.stringify(rows)).not.toContain(text)
        expect(expires).toBe(Math.floor((yield* TestClock.currentTimeMillis) / 1000) + 30 * 86_400)
        expect(yield* identityOf(secret)).toEqual(Option.some(identity))
      })
    )

    it.effect("keep their data, and never set a cookie", () =>
      Effect.gen(function* () {
        const { secret } = yield* opened()
        const written = yield* request(secret, (session) => session.set("theme", "dark"))
        const read = yield* request(secret, (session) => session.get("theme"))
        expect([written.cookies, read.cookies, read.value]).toEqual([[], [], Option.some("dark")])
        const unknown = yield* request(Redacted.make("efs_nothing"), (session) =>
          Effect.all([session.set("flash", "x"), session.secret, session.identity])
        )
        expect([unknown.cookies, unknown.value[2]]).toEqual([[], Option.none()])
      })
    )

    it.effect("do not accept the id of a cookie, nor does a cookie accept their secret", () =>
      Effect.gen(function* () {
        const { identity, secret } = yield* opened()
        const browser = yield* signedIn(identity)
        const id = browser.jar.get("session") ?? ""
        expect(yield* isSignedIn(Redacted.make(id))).toBe(false)
        const thief = new Browser()
        thief.jar.set("session", Redacted.value(secret))
        expect(yield* thief.isSignedIn).toBe(false)
        // Beside a secret the cookie does not count.
        const both = yield* request(Redacted.make("efs_wrong"), (session) => session.identity, `session=${id}`)
        expect(both).toEqual({ value: Option.none(), cookies: [] })
      })
    )

    it.effect("are listed and ended beside those of browsers", () =>
      Effect.gen(function* () {
        const { identity, secret, sessions } = yield* opened()
        const browser = yield* signedIn(identity)
        expect(yield* sessions.list(identity.id)).toHaveLength(2)
        const { value: handle } = yield* request(secret, (session) => session.handle)
        expect(yield* sessions.end(identity.id, Option.getOrThrow(handle))).toBe(true)
        expect([yield* isSignedIn(secret), yield* browser.isSignedIn]).toEqual([false, true])
      })
    )

    it.effect("end with a flush, a revocation, and the account", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const signedOut = yield* opened()
        expect((yield* request(signedOut.secret, (session) => session.flush)).cookies).toEqual([])
        const revoked = yield* opened()
        yield* revoked.sessions.revoke(revoked.identity.id)
        const deleted = yield* opened()
        yield* users.remove(deleted.identity.id)
        for (const { secret } of [signedOut, revoked, deleted]) expect(yield* isSignedIn(secret)).toBe(false)
      })
    )

    it.effect("survive a revocation that excepts them", () =>
      Effect.gen(function* () {
        const { identity, secret, sessions } = yield* opened()
        const other = Option.getOrThrow(yield* sessions[openBearer](identity))
        yield* request(secret, (session) => sessions.revoke(identity.id, session))
        expect([yield* isSignedIn(secret), yield* isSignedIn(other.secret)]).toEqual([true, false])
      })
    )

    it.effect("have another secret after a regeneration, and the old one is worth nothing", () =>
      Effect.gen(function* () {
        const { expires, identity, secret } = yield* opened()
        const { value, cookies } = yield* request(secret, (session) =>
          Effect.zipRight(session.regenerate, session.bearer)
        )
        const next = Option.getOrThrow(value)
        expect([cookies, next.expires]).toEqual([[], expires])
        expect(Redacted.value(next.secret)).toMatch(/^efs_/)
        expect([yield* isSignedIn(secret), yield* identityOf(next.secret)]).toEqual([false, Option.some(identity)])
        const browser = yield* signedIn(identity)
        expect((yield* browser.visit((session) => session.bearer)).value).toEqual(Option.none())
      })
    )

    it.effect("are not opened for an account that was revoked while its password was checked", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const identity = yield* enroll
        const guest = new Browser()
        const { session } = yield* guest.begin({ userAgent: "curl/8", address: "192.0.2.7" })
        yield* session.trackRevocations
        yield* sessions.revoke(identity.id)
        expect(yield* sessions[openBearer](identity, session)).toEqual(Option.none())
        expect(yield* sessions.list(identity.id)).toEqual([])
        yield* session.trackRevocations
        expect(Option.isSome(yield* sessions[openBearer](identity, session))).toBe(true)
        const [listed] = yield* sessions.list(identity.id)
        expect(listed?.device).toEqual({ userAgent: "curl/8", address: "192.0.2.7" })
      })
    )

    it.effect("end when they are idle, and at the latest after their lifetime, and are swept", () =>
      Effect.gen(function* () {
        const idle = yield* opened()
        yield* TestClock.adjust("119 minutes")
        expect(yield* isSignedIn(idle.secret)).toBe(true)
        yield* TestClock.adjust("119 minutes")
        expect(yield* isSignedIn(idle.secret)).toBe(true)
        yield* TestClock.adjust("121 minutes")
        expect(yield* isSignedIn(idle.secret)).toBe(false)
        const used = yield* opened()
        for (let hour = 0; hour < 30 * 24; hour += 24) {
          yield* query(
            (sql) => sql`UPDATE ${sql(tables.sessions)} SET expires = absolute WHERE user_id = ${used.identity.id}`
          )
          yield* TestClock.adjust("23 hours")
          expect(yield* isSignedIn(used.secret)).toBe(true)
          yield* TestClock.adjust("1 hour")
        }
        expect(yield* isSignedIn(used.secret)).toBe(false)
        expect(yield* used.sessions.sweep).toBeGreaterThanOrEqual(2)
        expect(yield* used.sessions.sweep).toBe(0)
      })
    )
  })
})
