import { openBearer, signIn } from "../../../src/session/internal/SessionGrants.ts"
import { expect, layer } from "@effect/vitest"
import { Duration, Effect, Fiber, Option, TestClock } from "effect"
import { createHash } from "node:crypto"
import { PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import { type Session, Sessions } from "../../../src/session/Session.ts"
import { describeTables, hasId, query } from "../auth/TableVariants.ts"
import { Browser, enroll, nobody, signedIn, stores } from "../auth/Stores.ts"

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

const never = Effect.dieMessage("not used here")

// What the stores do not ask of a session.
const unused = {
  identity: never,
  get: () => never,
  set: () => never,
  pull: () => never,
  flush: never,
  regenerate: never,
  [signIn]: () => never,
  trackRevocations: never,
  secret: never,
  handle: never,
  bearer: never,
  isRevoked: () => never,
  hasEnded: never,
  liveness: never
}

describeTables("Sessions", (database, tables) => {
  const rowsOf = (user: string) =>
    query(
      (sql) => sql<{ key: string; data: string; version: number; last_seen: number }>`
      SELECT key, data, version, last_seen FROM ${sql(tables.sessions)} WHERE user_id = ${user}`
    )
  const countRows = Effect.map(
    query((sql) => sql<{ n: number }>`SELECT COUNT(*) AS n FROM ${sql(tables.sessions)}`),
    ([row]) => Number(row?.n)
  )

  layer(stores(database, {}, tables))((it) => {
    it.effect("costs no read, no cookie and no row when it is not used", () =>
      Effect.gen(function* () {
        const before = yield* countRows
        const { lines } = yield* new Browser().visit(() => Effect.void)
        expect(lines).toEqual([])
        expect(yield* countRows).toBe(before)
      })
    )

    it.effect("keeps what a guest needs in a signed cookie and in no row", () =>
      Effect.gen(function* () {
        const before = yield* countRows
        const guest = new Browser()
        const { lines } = yield* guest.visit((session) => session.set("intended", "/account"))
        expect(lines).toHaveLength(1)
        expect(lines[0]).toMatch(/^session=g\.[^;]+; Path=\/; Secure; HttpOnly; SameSite=Lax$/)
        expect((yield* guest.visit((session) => session.get("intended"))).value).toEqual(Option.some("/account"))
        expect(yield* countRows).toBe(before)
      })
    )

    it.effect("writes the cookie only when the session changes", () =>
      Effect.gen(function* () {
        const guest = new Browser()
        yield* guest.visit((session) => session.set("flash", "Hello"))
        expect((yield* guest.visit((session) => session.get("flash"))).lines).toEqual([])
        expect((yield* guest.visit((session) => session.set("flash", "Hello"))).lines).toEqual([])
        expect((yield* guest.visit((session) => session.pull("missing"))).lines).toEqual([])
        expect((yield* guest.visit((session) => session.secret)).lines).toEqual([])
        const member = yield* signedIn(yield* enroll)
        expect((yield* member.visit((session) => session.identity)).lines).toEqual([])
        expect((yield* member.visit((session) => session.set("flash", "Hello"))).lines).toEqual([])
      })
    )

    it.effect("pulls a value once", () =>
      Effect.gen(function* () {
        for (const browser of [new Browser(), yield* signedIn(yield* enroll)]) {
          yield* browser.visit((session) => session.set("flash", "Welcome back!"))
          const values = [
            (yield* browser.visit((session) => session.pull("flash"))).value,
            (yield* browser.visit((session) => session.pull("flash"))).value
          ]
          expect(values).toEqual([Option.some("Welcome back!"), Option.none()])
        }
      })
    )

    it.effect("signs in under a fresh id of 256 bits, of which only the digest is stored", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = new Browser()
        yield* browser.visit((session) => session.set("intended", "/password"))
        const { lines } = yield* browser.visit((session) => session[signIn](identity))
        const id = browser.jar.get("session") ?? ""
        expect(Buffer.from(id, "base64url")).toHaveLength(32)
        expect(lines).toEqual([`session=${id}; Path=/; Secure; HttpOnly; SameSite=Lax`])
        const [row] = yield* rowsOf(identity.id)
        expect(row?.key).toBe(sha256(id))
        expect(JSON.stringify(row)).not.toContain(id)
        expect(yield* browser.identity).toEqual(Option.some(identity))
        expect((yield* browser.visit((session) => session.get("intended"))).value).toEqual(Option.some("/password"))
      })
    )

    it.effect("never adopts an unknown, malformed or forged id", () =>
      Effect.gen(function* () {
        const guest = new Browser()
        yield* guest.visit((session) => session.set("flash", "Hello"))
        const cookie = guest.jar.get("session") ?? ""
        const forged = cookie.replace(/\.[^.]+\./, `.${Buffer.from('[9999999999,"n",{}]').toString("base64url")}.`)
        for (const value of [
          "A".repeat(43),
          "x",
          "",
          "g.1.e30.A",
          forged,
          `${cookie}A`,
          cookie.replace("g.1", "g.2")
        ]) {
          const stranger = new Browser()
          stranger.jar.set("session", value)
          expect(yield* stranger.identity).toEqual(Option.none())
          expect((yield* stranger.visit((session) => session.get("flash"))).value).toEqual(Option.none())
          yield* stranger.visit((session) => session.set("flash", "Other"))
          expect(stranger.jar.get("session")).not.toBe(value)
        }
      })
    )

    it.effect("trusts neither of two different session cookies", () =>
      Effect.gen(function* () {
        const [own, planted] = [yield* signedIn(yield* enroll), yield* signedIn(yield* enroll)]
        const both = new Browser()
        both.jar.set("session", `${own.jar.get("session")}; session=${planted.jar.get("session")}`)
        expect(yield* both.isSignedIn).toBe(false)
      })
    )

    it.effect("regenerates the id and the form secret and keeps the content", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = yield* signedIn(identity)
        yield* browser.visit((session) => session.set("theme", "dark"))
        const old = browser.copy()
        const before = (yield* browser.visit((session) => session.secret)).value
        yield* browser.visit((session) => session.regenerate)
        expect(browser.jar.get("session")).not.toBe(old.jar.get("session"))
        expect(yield* old.isSignedIn).toBe(false)
        expect(yield* browser.identity).toEqual(Option.some(identity))
        expect((yield* browser.visit((session) => session.get("theme"))).value).toEqual(Option.some("dark"))
        expect((yield* browser.visit((session) => session.secret)).value).not.toEqual(before)
        expect(yield* rowsOf(identity.id)).toHaveLength(1)
      })
    )

    it.effect("has the form secret and the handle of its new id from regenerate on, within one request", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const identity = yield* enroll
        const browser = yield* signedIn(identity)
        const { value } = yield* browser.visit((session) =>
          Effect.gen(function* () {
            const before = [yield* session.secret, yield* session.secret, yield* session.handle] as const
            yield* session.regenerate
            return { before, after: [yield* session.secret, yield* session.handle] as const }
          })
        )
        const [secret, same, handle] = value.before
        expect(same).toEqual(secret)
        expect(value.after[0]).not.toEqual(secret)
        expect(value.after[1]).not.toEqual(handle)
        const [listed] = yield* sessions.list(identity.id)
        expect(value.after[1]).toEqual(Option.some(listed?.handle))
        expect((yield* browser.visit((session) => session.secret)).value).toEqual(value.after[0])
      })
    )

    it.effect("gives a guest another form secret on regenerate and on sign-in", () =>
      Effect.gen(function* () {
        const browser = new Browser()
        const secrets = [(yield* browser.visit((session) => session.secret)).value]
        yield* browser.visit((session) => session.regenerate)
        secrets.push((yield* browser.visit((session) => session.secret)).value)
        const identity = yield* enroll
        yield* browser.visit((session) => session[signIn](identity))
        secrets.push((yield* browser.visit((session) => session.secret)).value)
        expect(new Set(secrets.map((secret) => Buffer.from(secret).toString("hex"))).size).toBe(3)
      })
    )

    it.effect("flushes and regenerates into a guest on logout, and deletes the row", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = yield* signedIn(identity)
        yield* browser.visit((session) => session.set("theme", "dark"))
        const old = browser.copy()
        yield* browser.visit((session) =>
          Effect.all([session.flush, session.regenerate, session.set("flash", "Signed out.")], { discard: true })
        )
        expect(yield* rowsOf(identity.id)).toEqual([])
        expect([yield* browser.isSignedIn, yield* old.isSignedIn]).toEqual([false, false])
        expect((yield* browser.visit((session) => session.get("theme"))).value).toEqual(Option.none())
        expect((yield* browser.visit((session) => session.pull("flash"))).value).toEqual(Option.some("Signed out."))
      })
    )

    it.effect("deletes the cookie when its data is empty", () =>
      Effect.gen(function* () {
        const browser = yield* signedIn(yield* enroll)
        const { lines } = yield* browser.visit((session) => session.flush)
        expect(lines).toEqual(["session=; Max-Age=0; Path=/; Secure; HttpOnly; SameSite=Lax"])
      })
    )

    it.effect("keeps no data of one account for the next that signs in", () =>
      Effect.gen(function* () {
        const first = yield* enroll
        const second = yield* enroll
        const browser = yield* signedIn(first)
        yield* browser.visit((session) => session.set("note", "of the first"))
        yield* browser.visit((session) => session[signIn](second))
        expect(yield* browser.identity).toEqual(Option.some(second))
        expect((yield* browser.visit((session) => session.get("note"))).value).toEqual(Option.none())
        expect(yield* rowsOf(first.id)).toEqual([])
      })
    )

    it.effect("ends every session of the user on revoke, except the calling one", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const identity = yield* enroll
        const [here, there, elsewhere] = [
          yield* signedIn(identity),
          yield* signedIn(identity),
          yield* signedIn(identity)
        ]
        const { value } = yield* here.visit((session) =>
          Effect.zipLeft(sessions.revoke(identity.id, session), session.regenerate)
        )
        expect(value).toBe(2)
        expect([yield* here.isSignedIn, yield* there.isSignedIn, yield* elsewhere.isSignedIn]).toEqual([
          true,
          false,
          false
        ])
        expect(yield* sessions.revoke(identity.id)).toBe(1)
        expect(yield* here.isSignedIn).toBe(false)
        expect(yield* sessions.revoke(nobody)).toBe(0)
      })
    )

    it.effect("lists the sessions of a user without their ids, and ends one by its handle", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const identity = yield* enroll
        const phone = yield* signedIn(identity, { address: "192.0.2.7", userAgent: "Phone/1.0" })
        yield* TestClock.adjust("5 seconds")
        const desk = yield* signedIn(identity, { address: "2001:db8::7", userAgent: "Desk/2.0" })
        const listed = yield* sessions.list(identity.id)
        expect(listed.map(({ device }) => device)).toEqual([
          { address: "2001:db8::7", userAgent: "Desk/2.0" },
          { address: "192.0.2.7", userAgent: "Phone/1.0" }
        ])
        expect(listed[0]?.created).toBe((listed[1]?.created ?? 0) + 5)
        const shown = JSON.stringify(listed)
        for (const browser of [phone, desk]) {
          const id = browser.jar.get("session") ?? ""
          expect(shown).not.toContain(id)
          expect(shown).not.toContain(sha256(id))
        }
        const { value: own } = yield* phone.visit((session) => session.handle)
        expect(own).toEqual(Option.some(listed[1]?.handle))
        const other = yield* enroll
        expect(yield* sessions.end(other.id, listed[1]?.handle ?? "")).toBe(false)
        expect(yield* sessions.end(identity.id, listed[1]?.handle ?? "")).toBe(true)
        expect([yield* phone.isSignedIn, yield* desk.isSignedIn]).toEqual([false, true])
      })
    )

    it.effect("ends a session that was idle for two hours", () =>
      Effect.gen(function* () {
        const [idle, used] = [yield* signedIn(yield* enroll), yield* signedIn(yield* enroll)]
        yield* TestClock.adjust("7199 seconds")
        expect(yield* used.isSignedIn).toBe(true)
        yield* TestClock.adjust("1 second")
        expect([yield* idle.isSignedIn, yield* used.isSignedIn]).toEqual([false, true])
      })
    )

    it.effect("writes the last-seen stamp at most once a minute", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = yield* signedIn(identity)
        const stamps = new Set<number | undefined>()
        for (let second = 0; second < 150; second += 10) {
          yield* browser.isSignedIn
          stamps.add((yield* rowsOf(identity.id))[0]?.last_seen)
          yield* TestClock.adjust("10 seconds")
        }
        expect(stamps.size).toBe(3)
      })
    )

    it.effect("forgets what a guest carries after the absolute limit", () =>
      Effect.gen(function* () {
        const guest = new Browser()
        yield* guest.visit((session) => session.set("flash", "Hello"))
        yield* TestClock.adjust("2591999 seconds")
        expect((yield* guest.visit((session) => session.get("flash"))).value).toEqual(Option.some("Hello"))
        yield* TestClock.adjust("1 second")
        expect((yield* guest.visit((session) => session.get("flash"))).value).toEqual(Option.none())
      })
    )

    it.effect("drops the longest values of a guest rather than overflow the cookie", () =>
      Effect.gen(function* () {
        const guest = new Browser()
        yield* guest.visit((session) =>
          Effect.zipRight(session.set("flash", "Hello"), session.set("intended", `/${"x".repeat(5000)}`))
        )
        expect((guest.jar.get("session") ?? "").length).toBeLessThan(3900)
        expect((yield* guest.visit((session) => session.get("intended"))).value).toEqual(Option.none())
        expect((yield* guest.visit((session) => session.get("flash"))).value).toEqual(Option.some("Hello"))
      })
    )

    it.effect("has no identity when the account is deleted", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = yield* signedIn(identity)
        yield* query((sql) => sql`DELETE FROM ${sql(tables.users.table)} WHERE ${hasId(sql, tables, identity.id)}`)
        expect(yield* browser.isSignedIn).toBe(false)
      })
    )

    for (const end of ["destroyed", "regenerated", "revoked"] as const) {
      it.effect(`cannot be brought back by a slow request once it was ${end}`, () =>
        Effect.gen(function* () {
          const sessions = yield* Sessions
          const identity = yield* enroll
          const browser = yield* signedIn(identity)
          const stale = browser.copy()
          const slow = yield* stale.begin()
          yield* slow.session.set("note", "late")
          const slower = yield* stale.begin()
          yield* slower.session.regenerate
          if (end === "destroyed") yield* browser.visit((session) => session.flush)
          if (end === "regenerated") yield* browser.visit((session) => session.regenerate)
          if (end === "revoked") yield* sessions.revoke(identity.id)
          expect([yield* slow.finish, yield* slower.finish]).toEqual([[], []])
          expect(yield* stale.isSignedIn).toBe(false)
          expect(yield* browser.isSignedIn).toBe(end === "regenerated")
          expect(yield* rowsOf(identity.id)).toHaveLength(end === "regenerated" ? 1 : 0)
          expect((yield* browser.visit((session) => session.get("note"))).value).toEqual(Option.none())
        })
      )
    }

    it.effect("keeps the changes of two requests that overlap", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = yield* signedIn(identity)
        yield* browser.visit((session) => session.set("gone", "soon"))
        const [first, second] = [yield* browser.begin(), yield* browser.begin()]
        yield* Effect.zipRight(first.session.set("one", "1"), first.session.pull("gone"))
        yield* second.session.set("two", "2")
        yield* first.finish
        yield* second.finish
        const { value } = yield* browser.visit((session) =>
          Effect.all([session.get("one"), session.get("two"), session.get("gone")])
        )
        expect(value).toEqual([Option.some("1"), Option.some("2"), Option.none()])
      })
    )

    it.effect("commits to the end when the client goes away meanwhile", () =>
      Effect.gen(function* () {
        const identity = yield* enroll
        const browser = new Browser()
        const { finish, session } = yield* browser.begin()
        yield* session[signIn](identity)
        const commit = yield* Effect.fork(finish)
        yield* Effect.yieldNow()
        yield* Fiber.interrupt(commit)
        expect(yield* rowsOf(identity.id)).toHaveLength(1)
      })
    )

    it.effect("undoes a sign-in whose account was revoked while its evidence was looked at", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const identity = yield* enroll
        const thief = new Browser()
        const { finish, session } = yield* thief.begin({ method: "POST" })
        yield* session.trackRevocations
        // Here the old password is found right. Meanwhile its owner changes it:
        yield* sessions.revoke(identity.id)
        yield* session[signIn](identity)
        expect(yield* session.isRevoked(identity.id)).toBe(true)
        expect(yield* finish).toEqual([])
        expect(yield* rowsOf(identity.id)).toEqual([])
      })
    )

    it.effect("asks a session of another implementation as its own", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const identity = yield* enroll
        const browser = yield* signedIn(identity)
        const { session } = yield* browser.begin({ method: "POST", userAgent: "foreign" })
        const seen = yield* Effect.zipRight(
          session.trackRevocations,
          Effect.sync(() => session.seenRevocation)
        )
        const acknowledged: Array<number> = []
        const foreign: Session = {
          ...unused,
          key: session.key,
          device: { address: "192.0.2.9", userAgent: "foreign" },
          seenRevocation: seen,
          acknowledge: (revocation) => void acknowledged.push(revocation)
        }
        expect(Option.isSome(yield* sessions[openBearer](identity, foreign))).toBe(true)
        expect((yield* sessions.list(identity.id)).map(({ device }) => device.userAgent)).toContain("foreign")
        // It is spared, and told.
        yield* sessions.revoke(identity.id, foreign)
        expect(yield* browser.isSignedIn).toBe(true)
        expect(acknowledged).toEqual([expect.any(Number)])
        // What it has seen is older than the revocation.
        expect(yield* sessions[openBearer](identity, foreign)).toEqual(Option.none())
        const pending = yield* PendingSignIns
        const { value } = yield* pending.begin(identity.id, { request: foreign, remember: false })
        expect(Option.isNone(yield* pending.complete(value))).toBe(true)
      })
    )

    it.effect("ends a copy of the session that a revocation spares, though the copy gets another id after it", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const identity = yield* enroll
        const owner = yield* signedIn(identity)
        const thief = owner.copy()
        const confirming = yield* thief.begin({ method: "POST" })
        yield* confirming.session.trackRevocations
        yield* confirming.session.identity
        const changing = yield* owner.begin({ method: "POST" })
        yield* changing.session.trackRevocations
        yield* sessions.revoke(identity.id, changing.session)
        yield* changing.session.regenerate
        yield* confirming.session.regenerate
        expect(yield* confirming.finish).toEqual([])
        yield* changing.finish
        expect(yield* thief.isSignedIn).toBe(false)
        expect(yield* rowsOf(identity.id)).toEqual([])
      })
    )

    it.effect("does not undo a sign-in for the revocation of another account, or for an earlier or its own one", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        const [identity, other] = [yield* enroll, yield* enroll]
        yield* sessions.revoke(identity.id)
        const browser = new Browser()
        const { finish, session } = yield* browser.begin({ method: "POST" })
        yield* session.trackRevocations
        yield* sessions.revoke(other.id)
        yield* sessions.revoke(identity.id, session)
        yield* session[signIn](identity)
        yield* finish
        expect(yield* browser.identity).toEqual(Option.some(identity))
      })
    )

    it.effect("sweeps expired sessions and counts them", () =>
      Effect.gen(function* () {
        const sessions = yield* Sessions
        yield* TestClock.adjust("31 days")
        yield* sessions.sweep
        yield* signedIn(yield* enroll)
        yield* signedIn(yield* enroll)
        yield* TestClock.adjust("1 hour")
        const kept = yield* signedIn(yield* enroll)
        yield* TestClock.adjust("1 hour")
        expect(yield* sessions.sweep).toBe(2)
        expect(yield* kept.isSignedIn).toBe(true)
      })
    )
  })

  layer(stores(database, { sessionTtl: Duration.hours(6) }, tables))((it) => {
    it.effect("ends a session at its absolute limit, however much it is used or regenerated", () =>
      Effect.gen(function* () {
        const browser = yield* signedIn(yield* enroll)
        for (const minutes of [100, 100, 100, 59]) {
          yield* TestClock.adjust(Duration.minutes(minutes))
          expect(yield* browser.isSignedIn).toBe(true)
          yield* browser.visit((session) => session.regenerate)
        }
        yield* TestClock.adjust("59 seconds")
        expect(yield* browser.isSignedIn).toBe(true)
        yield* TestClock.adjust("1 second")
        expect(yield* browser.isSignedIn).toBe(false)
      })
    )
  })
})
