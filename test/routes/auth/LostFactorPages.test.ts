// The recovery of an account whose factors are lost, over real sockets.
import { expect, layer } from "@effect/vitest"
import { SqlClient } from "@effect/sql"
import { Duration, Effect, Option, TestClock } from "effect"
import * as LostFactors from "../../../routes/auth/LostFactors.ts"
import { DueLostFactorRequests } from "../../../src/auth/internal/AccountWorkers.ts"
import { LostFactorRequests } from "../../../src/auth/internal/LostFactorRequests.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { type Event, SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Users } from "../../../src/auth/Users.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as TestJobs from "../../../testing/TestJobs.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as MailedLinks from "../../support/MailedLinks.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"

const path = "/login/factor/recovery"

const delay = Duration.hours(1)

const sweep = Effect.flatMap(DueLostFactorRequests, (worker) => worker.sweep)

/** A client that has sent the password of this account. */
const pending = Effect.fnUntraced(function* ({ email, password }: Pick<TestApp.TestUser, "email" | "password">) {
  const guest = yield* TestApp.guest
  expect((yield* guest.json("POST", "/login", { email, password })).status).toBe(202)
  return guest
})

const account = Effect.gen(function* () {
  const user = yield* TestApp.enrolledUser()
  return { user, ...(yield* FactorApp.enrol(user)) }
})

const linksTo = (email: string) => MailedLinks.linksTo(email, `${path}(?:/cancel)?`)

/** An account that was asked for, whose delay is over, with the links of both messages. */
const ready = Effect.gen(function* () {
  const given = yield* account
  const guest = yield* pending(given.user)
  expect(yield* send(guest, path)).toBe("done")
  yield* TestClock.adjust(delay)
  yield* sweep
  const [cancel = "", complete = ""] = yield* linksTo(given.user.email)
  return { ...given, cancel, complete }
})

const eventsOf = ({ id }: TestApp.TestUser) =>
  Effect.flatMap(SecurityEvents, ({ list }) =>
    Effect.map(
      list(id, {
        events: [
          "FactorRecoveryRequested",
          "FactorRecoveryCancelled",
          "FactorRecoveryCompleted"
        ] satisfies ReadonlyArray<Event["_tag"]>
      }),
      ({ items }) => items
    )
  )

const hasFactors = ({ id }: TestApp.TestUser) =>
  Effect.flatMap(Factors, ({ required }) => Effect.map(required(id), ({ kinds }) => kinds.length > 0))

const useless = /This link is invalid or has expired|Sign in again/

/** The status of a form that is shown again; where it redirects, whether it has done something. */
const send = Effect.fnUntraced(function* (client: TestClient, to: string, form: Readonly<Record<string, string>> = {}) {
  const { location, status } = yield* client.submit(to, form)
  if (location === undefined) return status
  return useless.test((yield* client.follow(location)).text) ? "useless" : "done"
})

const isWaiting = (client: TestClient) =>
  Effect.map(client.get(path), ({ text }) => text.includes("We have sent you an e-mail."))

const settings = { factorRecoveryDelay: delay }

describeDatabases("A recovery after the loss of every factor", (database) => {
  const services = LostFactors.layer
  layer(TestApp.layer([], { environment: "production", database: database.layer, settings, services }))((it) => {
    it.effect("waits, is completed by the link and the password, and leaves nothing signed in", () =>
      Effect.gen(function* () {
        const { secret, user } = yield* account
        const member = yield* TestApp.guest
        yield* member.json("POST", "/login", { email: user.email, password: user.password })
        yield* member.submit("/login/factor", { code: yield* FactorApp.codeOf(secret) })
        const guest = yield* pending(user)
        expect((yield* guest.get("/login/factor")).body).toContain(`href="${path}"`)
        const page = yield* guest.get(path)
        expect([page.status, page.headers.get("cache-control")]).toEqual([200, "no-store"])
        expect(page.text).toContain("send a link to it after 1 hour")
        const asked = yield* guest.submit(path, {})
        expect([asked.status, asked.location]).toEqual([303, path])
        expect((yield* guest.get(path)).text).toContain("We have sent you an e-mail.")
        expect(yield* linksTo(user.email)).toEqual([expect.stringMatching(/^\/login\/factor\/recovery\/cancel\//)])
        yield* TestClock.adjust("59 minutes")
        expect(yield* sweep).toBe(0)
        yield* TestClock.adjust("1 minute")
        expect([yield* sweep, yield* sweep]).toEqual([1, 0])
        const link = (yield* linksTo(user.email))[1] ?? ""
        const browser = yield* TestApp.guest
        const form = yield* browser.get(link)
        expect([form.status, form.text]).toEqual([200, expect.stringContaining("Remove your second factors")])
        const wrong = yield* browser.submit(link, { password: "not this one" })
        expect([wrong.status, wrong.text]).toEqual([422, expect.stringContaining("Current password is incorrect.")])
        expect(yield* hasFactors(user)).toBe(true)
        const done = yield* browser.submit(link, { password: user.password })
        expect([done.status, done.location]).toEqual([303, "/login"])
        expect((yield* browser.get("/login")).text).toContain("Your second factors were removed.")
        expect(yield* hasFactors(user)).toBe(false)
        expect((yield* member.get("/account")).location).toBe("/login")
        expect((yield* browser.submit("/login", { email: user.email, password: user.password })).location).toBe(
          "/account"
        )
        expect((yield* browser.get(link)).status).toBe(303)
        expect(yield* send(browser, link, { password: user.password })).toBe("useless")
        expect((yield* eventsOf(user)).map(({ _tag }) => _tag)).toEqual([
          "FactorRecoveryCompleted",
          "FactorRecoveryRequested"
        ])
        const messages = yield* Effect.flatMap(CapturedMail, (mail) => mail.messagesTo(user.email))
        expect(messages.map(({ subject }) => subject)).toContain("A sign-in method was removed")
      })
    )

    it.effect("is one at a time, with three messages a day at most", () =>
      Effect.gen(function* () {
        const { user } = yield* account
        const guest = yield* pending(user)
        expect(yield* isWaiting(guest)).toBe(false)
        for (const _ of [1, 2]) {
          expect(yield* send(guest, path)).toBe("done")
          expect(yield* isWaiting(guest)).toBe(true)
        }
        expect(yield* linksTo(user.email)).toHaveLength(1)
        yield* TestClock.adjust(delay)
        expect(yield* sweep).toBe(1)
        const again = yield* pending(user)
        expect(yield* send(again, path)).toBe("done")
        expect((yield* again.get(path)).text).toContain("We have sent you the link.")
        expect(yield* send(again, path)).toBe(429)
        const [, old = "", renewed = ""] = yield* linksTo(user.email)
        const client = yield* TestApp.guest
        expect(yield* send(client, old, { password: user.password })).toBe("useless")
        expect(yield* send(client, renewed, { password: user.password })).toBe("done")
      })
    )

    it.effect("needs a pending sign-in and a verified address", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        expect((yield* guest.get(path)).location).toBe("/login")
        expect(yield* send(guest, path)).toBe("useless")
        const member = yield* TestApp.signedInUser()
        expect(yield* send(member, path)).toBe("useless")
        const user = yield* TestApp.enrolledUser({ verified: false })
        yield* FactorApp.enrol(user)
        const unverified = yield* pending(user)
        const refused = yield* unverified.submit(path, {})
        expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("is not verified")])
        const page = yield* unverified.get(path)
        expect([page.text, page.body]).toEqual([
          expect.stringContaining("is not verified"),
          expect.not.stringContaining('<form method="post" action="/login/factor/recovery"')
        ])
        expect(yield* linksTo(user.email)).toEqual([])
        const { user: other } = yield* account
        const forged = yield* pending(other)
        expect((yield* forged.request(path, { method: "POST", form: {} })).status).toBe(403)
      })
    )

    it.effect("is cancelled by the link of the first message, after a page that changes nothing", () =>
      Effect.gen(function* () {
        const { cancel, complete, user } = yield* ready
        const thief = yield* pending(user)
        const owner = yield* TestApp.guest
        for (const _ of [1, 2]) expect((yield* owner.get(cancel)).text).toContain("Cancel the recovery")
        expect((yield* owner.submit(cancel, {})).location).toBe("/forgot")
        expect((yield* owner.get("/forgot")).text).toContain("The recovery was cancelled.")
        expect(yield* send(owner, cancel)).toBe("useless")
        expect(yield* send(thief, complete, { password: user.password })).toBe("useless")
        // Whoever waits with the password starts over.
        expect((yield* thief.get(path)).location).toBe("/login")
        expect(yield* hasFactors(user)).toBe(true)
        expect((yield* eventsOf(user))[0]).toMatchObject({ _tag: "FactorRecoveryCancelled", by: "link" })
      })
    )

    it.effect("can be cancelled by the link of the second message too", () =>
      Effect.gen(function* () {
        const { complete, user } = yield* ready
        const owner = yield* TestApp.guest
        const page = yield* owner.get(complete)
        const cancel = /href="([^"]+\/cancel\/[^"]+)"/.exec(page.body)?.[1] ?? ""
        expect(yield* send(owner, cancel)).toBe("done")
        expect(yield* send(owner, complete, { password: user.password })).toBe("useless")
      })
    )

    it.effect.each(["a code at the sign-in", "a confirmation by a code"] as const)("is ended by %s", (kind) =>
      Effect.gen(function* () {
        const { secret, user } = yield* account
        const member = yield* TestApp.guest
        const code = FactorApp.codeOf(secret)
        yield* member.json("POST", "/login", { email: user.email, password: user.password })
        if (kind === "a confirmation by a code") yield* member.submit("/login/factor", { code: yield* code })
        const guest = yield* pending(user)
        yield* guest.submit(path, {})
        yield* FactorApp.nextCode
        const to = kind === "a confirmation by a code" ? "/confirm" : "/login/factor"
        // The password alone proves no factor.
        if (to === "/confirm") expect(yield* send(member, to, { current: user.password })).toBe("done")
        expect(yield* isWaiting(guest)).toBe(true)
        expect(yield* send(member, to, { code: yield* code })).toBe("done")
        expect(yield* isWaiting(guest)).toBe(false)
        yield* TestClock.adjust(delay)
        expect(yield* sweep).toBe(0)
        expect((yield* eventsOf(user))[0]).toMatchObject({ _tag: "FactorRecoveryCancelled", by: "factor" })
      })
    )

    it.effect("is ended by a sign-in with a passkey, keeps passkeys, and removes them when they are lost", () =>
      Effect.gen(function* () {
        const { device, user } = yield* PasskeyUser.make
        yield* FactorApp.enrol(user)
        const guest = yield* pending(user)
        yield* guest.submit(path, {})
        const other = yield* TestApp.guest
        expect((yield* PasskeyUser.signIn(other, device)).status).toBe(303)
        expect(yield* isWaiting(guest)).toBe(false)
        const passkeys = yield* Passkeys
        const complete = Effect.fnUntraced(function* (form: Readonly<Record<string, string>>) {
          const client = yield* pending(user)
          expect(yield* send(client, path)).toBe("done")
          yield* TestClock.adjust(delay)
          yield* sweep
          const link = (yield* linksTo(user.email)).at(-1) ?? ""
          expect(yield* send(client, link, { password: user.password, ...form })).toBe("done")
          return (yield* passkeys.list(user.id)).length
        })
        expect(yield* complete({})).toBe(1)
        yield* FactorApp.enrol(user)
        expect(yield* complete({ passkeys: "1" })).toBe(0)
        expect((yield* eventsOf(user))[0]).toMatchObject({ _tag: "FactorRecoveryCompleted", passkeys: 1 })
      })
    )

    it.effect("ends when its time is over, and with a change of the address", () =>
      Effect.gen(function* () {
        const late = yield* ready
        const moved = yield* ready
        const users = yield* Users
        yield* users.changeEmail(moved.user.id, `moved-${moved.user.email}`)
        const client = yield* TestApp.guest
        expect(yield* send(client, moved.complete, { password: moved.user.password })).toBe("useless")
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE factor_recoveries SET expires = ready + 1 WHERE user_id = ${late.user.id}`
        yield* TestClock.adjust("1 second")
        expect(yield* send(client, late.complete, { password: late.user.password })).toBe("useless")
        expect(yield* send(client, late.cancel)).toBe("useless")
        expect(yield* hasFactors(late.user)).toBe(true)
      })
    )

    it.effect("accepts neither the password of another account nor guesses without end", () =>
      Effect.gen(function* () {
        const { complete, user } = yield* ready
        const { user: other } = yield* account
        const thief = yield* TestApp.guest
        const guesses = yield* Effect.replicateEffect(send(thief, complete, { password: other.password }), 6)
        expect(guesses).toEqual([422, 422, 422, 422, 422, 429])
        expect(yield* send(yield* TestApp.guest, complete)).toBe(422)
        expect(yield* hasFactors(user)).toBe(true)
      })
    )

    it.effect("has one outcome when it is completed, cancelled and ended by a factor at once", () =>
      Effect.gen(function* () {
        const { cancel, complete, secret, user } = yield* ready
        const clients = yield* Effect.replicateEffect(TestApp.guest, 3)
        const member = yield* pending(user)
        const code = yield* FactorApp.codeOf(secret)
        const { password } = user
        const [one = 0, two = 0, cancelled = 0, signedIn = 0] = yield* Effect.all(
          [
            ...clients.slice(0, 2).map((client) => send(client, complete, { password })),
            ...clients.slice(2).map((client) => send(client, cancel)),
            send(member, "/login/factor", { code })
          ],
          { concurrency: "unbounded" }
        )
        const completions = [one, two].filter((outcome) => outcome === "done").length
        expect(completions).toBeLessThanOrEqual(1)
        expect([one, two].filter((outcome) => outcome !== "done")).toEqual(Array(2 - completions).fill("useless"))
        expect(yield* hasFactors(user)).toBe(completions === 0)
        // A sign-in with a factor that came first has ended the recovery; one that came later has not happened.
        const isInside = (yield* member.json("GET", "/account")).status === 200
        if (completions === 1) expect([cancelled, isInside]).toEqual(["useless", false])
        if (isInside) expect(signedIn).toBe("done")
        const { find } = yield* LostFactorRequests
        expect(Option.isNone(yield* find(user.id))).toBe(true)
      })
    )
  })
})

layer(TestApp.layer([], { settings, services: LostFactors.layer }))("The job of recoveries", (it) => {
  it.effect("sends the link of a recovery whose delay is over, within ten minutes", () =>
    Effect.gen(function* () {
      const { user } = yield* account
      const guest = yield* pending(user)
      yield* TestJobs.run
      yield* guest.submit(path, {})
      expect(yield* linksTo(user.email)).toHaveLength(1)
      yield* TestClock.adjust("70 minutes")
      yield* TestJobs.run
      expect(yield* linksTo(user.email)).toHaveLength(2)
    })
  )
})

layer(TestApp.layer([]))("A program without LostFactors.layer", (it) => {
  it.effect("offers no recovery", () =>
    Effect.gen(function* () {
      const { user } = yield* account
      const guest = yield* pending(user)
      expect((yield* guest.get("/login/factor")).body).not.toContain(path)
      expect((yield* guest.get(path)).status).toBe(404)
      expect(yield* send(guest, path)).toBe(404)
    })
  )
})
