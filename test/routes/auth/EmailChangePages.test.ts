// A change of the e-mail address over real sockets, and what an attacker tries with it.
import { expect, layer } from "@effect/vitest"
import { Effect, Option, Redacted, TestClock } from "effect"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Users } from "../../../src/auth/Users.ts"
import { BackgroundWork } from "../../../testing/BackgroundWork.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import { lastLink, linksTo } from "../../support/MailedLinks.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"

const path = "/account/email"

let count = 0
const fresh = () => `new-${count++}@example.com`

const messagesTo = (email: string) => Effect.flatMap(CapturedMail, (mail) => mail.messagesTo(email))

/** Changes the address of a signed-in user by the form and the link; returns the path of the undo link. */
const change = Effect.fnUntraced(function* (browser: TestApp.SignedInClient, from: string, to: string) {
  yield* TestClock.adjust("1 minute")
  expect((yield* browser.submit(path, { email: to })).location).toBe("/account")
  const link = yield* lastLink(to, path)
  expect((yield* browser.submit(link, {})).location).toBe("/account")
  return yield* lastLink(from, `${path}/undo`)
})

/** Whether the button of a link is of no use. */
const isExpired = Effect.fnUntraced(function* (client: TestClient, link: string, next = "/login") {
  const { location, status } = yield* client.submit(link, {})
  expect([status, location]).toEqual([303, next])
  return (yield* client.follow(next)).text.includes("This link is invalid or has expired.")
})

const emailOf = (user: TestApp.TestUser) =>
  Effect.flatMap(Users, ({ findById }) => Effect.map(findById(user.id), (account) => Option.getOrThrow(account).email))

describeDatabases("A change of the e-mail address", (database) => {
  layer(TestApp.layer([], { environment: "production", database: database.layer }))((it) => {
    it.effect("is proved at the new address, by a page and a button", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const { email: old } = browser.user
        const email = fresh()
        expect((yield* browser.get("/account")).body).toContain(`href="${path}"`)
        expect((yield* browser.get(path)).text).toContain(old)
        const sent = yield* browser.submit(path, { email: email.toUpperCase() })
        expect([sent.status, sent.location]).toEqual([303, "/account"])
        expect((yield* browser.get("/account")).text).toContain(`We sent a message to ${email}.`)
        const link = yield* lastLink(email, path)
        const { password } = browser.user
        // Neither a scanner nor a stranger who presses the button changes anything, nor does the session of another account.
        const scanner = yield* TestApp.guest
        const stranger = yield* TestApp.signedInUser()
        for (let round = 0; round < 3; round++) expect((yield* scanner.get(link)).location).toBe("/login")
        expect((yield* scanner.submit(link, {})).location).toBe("/login")
        expect((yield* stranger.get(link)).location).toBe("/account")
        expect(yield* isExpired(stranger, link, "/account")).toBe(true)
        expect(yield* emailOf(browser.user)).toBe(old)
        // Also on another device than the one that asked, after a sign-in that leads back to the link.
        const phone = yield* TestApp.guest
        yield* phone.get(link)
        expect((yield* phone.submit("/login", { email: old, password })).location).toBe(link)
        expect((yield* phone.get(link)).text).toContain(email)
        expect((yield* phone.submit(link, {})).location).toBe("/account")
        const account = yield* browser.json("GET", "/account")
        expect(account.json).toMatchObject({ email, verified: true })
        expect(yield* isExpired(phone, link, "/account")).toBe(true)
        expect((yield* phone.get(link)).location).toBe("/account")
        yield* phone.submit("/logout", {})
        expect((yield* phone.submit("/login", { email: old, password })).status).toBe(401)
        expect((yield* phone.submit("/login", { email, password })).status).toBe(303)
      })
    )

    it.effect("is told at the old address, which undoes it within seven days", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const { email: old, id, password } = browser.user
        const tokens = yield* ApiTokens
        const token = yield* tokens.create(id, { name: "x", scopes: [] })
        const email = fresh()
        const undo = yield* change(browser, old, email)
        expect((yield* messagesTo(old)).at(-1)?.subject).toBe("Your e-mail address was changed")
        yield* TestClock.adjust("6 days")
        const owner = yield* TestApp.guest
        expect((yield* owner.get(undo)).text).toContain(old)
        expect((yield* owner.get(undo)).status).toBe(200)
        const thief = yield* TestApp.signedInUser({ ...browser.user, email })
        expect((yield* owner.submit(undo, {})).location).toBe("/login")
        expect((yield* owner.get("/login")).text).toContain("Your e-mail address is restored.")
        expect(yield* emailOf(browser.user)).toBe(old)
        expect((yield* thief.get("/account")).location).toBe("/login")
        expect(Option.isNone(yield* tokens.verify(token.secret))).toBe(true)
        // The password that the thief knows is of no use, at neither address.
        for (const given of [old, email]) {
          expect((yield* thief.submit("/login", { email: given, password })).status).toBe(401)
        }
        const reset = yield* lastLink(old, "/reset")
        const next = "a third harbour"
        expect((yield* owner.submit(reset, { password: next, password_confirmation: next })).location).toBe("/login")
        expect((yield* owner.submit("/login", { email: old, password: next })).status).toBe(303)
        expect(yield* isExpired(owner, undo)).toBe(true)
        const events = yield* SecurityEvents
        const { items } = yield* events.list(id, {
          events: ["EmailChangeRequested", "EmailChanged", "EmailChangeUndone"]
        })
        expect(items.map(({ _tag }) => _tag)).toEqual(["EmailChangeUndone", "EmailChanged", "EmailChangeRequested"])
      })
    )

    it.effect("takes with its undo every way in that was added since, and leaves the older ones", () =>
      Effect.gen(function* () {
        const owner = yield* PasskeyUser.make
        const { browser: thief, device: own, user } = owner
        const { secret } = yield* FactorApp.enrol(user)
        const [factors, passkeys, tokens] = [yield* Factors, yield* Passkeys, yield* ApiTokens]
        const email = fresh()
        const undo = yield* change(thief, user.email, email)
        const added = yield* PasskeyUser.add(thief, "Of the thief")
        expect(added.response.status).toBe(303)
        const app = yield* FactorApp.enrol({ email })
        yield* TestClock.adjust("1 minute")
        const codes = FactorApp.recoveryCodesIn((yield* thief.submit("/account/factors/recovery-codes", {})).body)
        expect(codes).toHaveLength(10)
        const token = yield* tokens.create(user.id, { name: "x", scopes: [] })
        const elsewhere = yield* TestApp.bearerUser({ ...user, email })

        const victim = yield* TestApp.guest
        expect((yield* victim.submit(undo, {})).location).toBe("/login")
        expect((yield* passkeys.list(user.id)).map(({ name }) => name)).toEqual(["Phone"])
        expect(yield* factors.list(user.id)).toHaveLength(1)
        expect((yield* PasskeyUser.signIn(yield* TestApp.guest, added.device)).status).toBe(401)
        expect((yield* PasskeyUser.signIn(victim, own)).status).toBe(303)
        expect(Option.isNone(yield* tokens.verify(token.secret))).toBe(true)
        const { id } = user
        for (const client of [thief, elsewhere]) expect((yield* client.get("/account")).location).toBe("/login")
        yield* FactorApp.nextCode
        for (const code of [yield* FactorApp.codeOf(app.secret), ...codes]) {
          expect(yield* factors.verify(id, Redacted.make(code))).toEqual(Option.none())
        }
        const code = Redacted.make(yield* FactorApp.codeOf(secret))
        expect(yield* factors.verify(id, code)).toEqual(Option.some("totp"))
      })
    )

    it.effect("leaves its first owner, with and without an undo, the links of what happened before it", () =>
      Effect.gen(function* () {
        const passkeys = yield* Passkeys
        const users = yield* Users
        const browser = yield* TestApp.signedInUser()
        const { email, id } = browser.user
        // The passkey of a thief is older than the change, so that the undo leaves it; the owner was told of it.
        const { device } = yield* PasskeyUser.add(browser)
        const report = yield* lastLink(email, "/not-me")
        const to = fresh()
        const undo = yield* change(browser, email, to)
        yield* PasskeyUser.add(browser, "Tablet")
        const late = yield* lastLink(to, "/not-me")
        const owner = yield* TestApp.guest
        expect((yield* owner.submit(undo, {})).location).toBe("/login")
        expect((yield* passkeys.list(id)).map(({ name }) => name)).toEqual(["Phone"])
        // What was told to the address of the thief is of no use any more.
        expect((yield* owner.submit(late, {})).location).toBe("/forgot")
        expect((yield* PasskeyUser.signIn(yield* TestApp.guest, device)).status).toBe(303)
        expect((yield* owner.submit(report, {})).location).toBe("/login")
        expect(yield* passkeys.list(id)).toEqual([])
        expect((yield* users.findById(id)).pipe(Option.map((account) => account.email))).toEqual(Option.some(email))
      })
    )

    it.effect("is undone by what its first owner reports from before it, and by nothing from after it", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.signedInUser()
        const { email } = thief.user
        yield* PasskeyUser.add(thief)
        const report = yield* lastLink(email, "/not-me")
        const [first, second] = [fresh(), fresh()]
        const undo = yield* change(thief, email, first)
        yield* change(thief, first, second)
        const waiting = fresh()
        yield* thief.submit(path, { email: waiting })
        const owner = yield* TestApp.guest
        expect((yield* owner.submit(report, {})).location).toBe("/login")
        expect(yield* emailOf(thief.user)).toBe(email)
        expect(yield* isExpired(owner, undo)).toBe(true)
        // The link to choose a password is in the mailbox of whoever has reported it, and in no other.
        expect((yield* Effect.all([first, second].map((to) => linksTo(to, "/reset")))).flat()).toEqual([])
        const form = { password: "a third harbour", password_confirmation: "a third harbour" }
        expect((yield* owner.submit(yield* lastLink(email, "/reset"), form)).location).toBe("/login")
        expect((yield* owner.submit("/login", { email, password: form.password })).location).toBe("/account")

        yield* TestClock.adjust("1 hour")
        yield* owner.submit("/confirm", { current: form.password })
        const moved = fresh()
        yield* change({ ...owner, user: thief.user }, email, moved)
        yield* TestClock.adjust("1 minute")
        yield* PasskeyUser.add(owner)
        expect((yield* owner.submit(yield* lastLink(moved, "/not-me"), {})).location).toBe("/login")
        expect(yield* emailOf(thief.user)).toBe(moved)
      })
    )

    it.effect("is undone by its first owner, also after whoever took over has changed it again", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.signedInUser()
        const { email: owner } = thief.user
        const [first, second] = [fresh(), fresh()]
        const undo = yield* change(thief, owner, first)
        const own = yield* change(thief, first, second)
        const victim = yield* TestApp.guest
        // The old address is kept for its owner: nobody else signs up with it, and no other account takes it.
        const password = "quiet harbour"
        expect((yield* victim.submit("/register", { email: owner, password })).status).toBe(422)
        expect((yield* victim.submit(undo, {})).location).toBe("/login")
        expect(yield* emailOf(thief.user)).toBe(owner)
        expect(yield* isExpired(thief, own)).toBe(true)
        expect(yield* emailOf(thief.user)).toBe(owner)
      })
    )

    it.effect("gives no way in to an old address that was never verified", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser(yield* TestApp.enrolledUser({ verified: false }))
        const { email: mistyped, password } = browser.user
        const email = fresh()
        expect(yield* change(browser, mistyped, email)).toBe("")
        expect(yield* messagesTo(mistyped)).toEqual([])
        // Nobody is kept from an account of their own.
        const stranger = yield* TestApp.guest
        const form = { email: mistyped, password: "quiet harbour", password_confirmation: "quiet harbour" }
        expect((yield* stranger.submit("/register", form)).status).toBe(303)
        expect((yield* stranger.submit("/logout", {})).location).toBe("/login")
        expect((yield* stranger.submit("/login", { email, password })).status).toBe(303)
      })
    )

    it.effect("tells an address that has an account, and answers alike", () =>
      Effect.gen(function* () {
        const taken = yield* TestApp.enrolledUser()
        const browser = yield* TestApp.signedInUser()
        const free = fresh()
        const answers = []
        for (const email of [free, taken.email]) {
          const { location, status } = yield* browser.submit(path, { email })
          const { text } = yield* browser.get(`${location}`)
          answers.push([status, location, /We sent a message to [^.]+/.exec(text.replace(email, "…"))?.[0]])
        }
        expect(answers[0]).toEqual([303, "/account", "We sent a message to …"])
        expect(answers[1]).toEqual(answers[0])
        const message = (yield* messagesTo(taken.email)).at(-1)
        expect([message?.subject, message?.text]).toEqual([
          "This address already has an account",
          expect.not.stringContaining(`${path}/`)
        ])
        expect(yield* linksTo(free, path)).toHaveLength(1)
      })
    )

    it.effect("does not take an address that has an account by now, and says so to its mailbox", () =>
      Effect.gen(function* () {
        const [one, two] = [yield* TestApp.signedInUser(), yield* TestApp.signedInUser()]
        const email = fresh()
        yield* one.submit(path, { email })
        const first = yield* lastLink(email, path)
        yield* two.submit(path, { email })
        const second = yield* lastLink(email, path)
        const answers = yield* Effect.all([one.submit(first, {}), two.submit(second, {})], { concurrency: 2 })
        expect(answers.map(({ status }) => status).sort()).toEqual([303, 409])
        expect(answers.find(({ status }) => status === 409)?.text).toContain("This e-mail is already registered.")
      })
    )

    it.effect("is shown while it waits, alike for an address with an account, and can be cancelled", () =>
      Effect.gen(function* () {
        const taken = yield* TestApp.enrolledUser()
        const browser = yield* TestApp.signedInUser()
        const cancel = `${path}/cancel`
        expect((yield* browser.get(path)).body).not.toContain(cancel)
        for (const email of [fresh(), taken.email]) {
          yield* browser.submit(path, { email })
          yield* Effect.flatMap(BackgroundWork, ({ idle }) => idle)
          const page = yield* browser.get(path)
          expect([page.text.includes(`A change to ${email} waits`), page.body.includes(cancel)]).toEqual([true, true])
        }
        const free = fresh()
        yield* browser.submit(path, { email: free })
        const link = yield* lastLink(free, path)
        expect((yield* browser.request(cancel, { form: {} })).status).toBe(403)
        expect((yield* browser.submit(cancel, {})).location).toBe(path)
        const page = yield* browser.get(path)
        expect([page.text.includes("The change was cancelled."), page.body.includes(cancel)]).toEqual([true, false])
        expect(yield* isExpired(browser, link, "/account")).toBe(true)
        expect((yield* browser.submit(cancel, {})).location).toBe(path)
        const events = yield* SecurityEvents
        const { items } = yield* events.list(browser.user.id, { events: ["EmailChangeCancelled"] })
        expect(items).toHaveLength(1)
        yield* TestClock.adjust("10 minutes")
        expect((yield* browser.json("POST", cancel)).status).toBe(403)
      })
    )

    it.effect("stays after a change of the password, and ends with a newer request and its time", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const ask = Effect.fnUntraced(function* () {
          const email = fresh()
          yield* browser.submit(path, { email })
          return yield* lastLink(email, path)
        })
        const first = yield* ask()
        const second = yield* ask()
        expect(yield* isExpired(browser, first, "/account")).toBe(true)
        const password = "a second harbour"
        yield* browser.submit("/password", {
          current: browser.user.password,
          password,
          password_confirmation: password
        })
        expect((yield* browser.submit(second, {})).location).toBe("/account")
        expect((yield* browser.get("/account")).text).toContain("Your e-mail address is changed.")
        const third = yield* ask()
        yield* TestClock.adjust("1 day")
        const later = yield* TestApp.signedInUser({ ...browser.user, email: yield* emailOf(browser.user), password })
        expect(yield* isExpired(later, third, "/account")).toBe(true)
      })
    )

    it.effect("needs a recent confirmation, the form token and an address", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        for (const [email, message] of [
          ["", "Enter your e-mail address."],
          ["nobody", "This is not an e-mail address."],
          [browser.user.email, "Your account already has this address."]
        ] as const) {
          expect((yield* browser.submit(path, { email })).text).toContain(message)
        }
        expect((yield* browser.request(path, { form: { email: fresh() } })).status).toBe(403)
        yield* TestClock.adjust("10 minutes")
        expect((yield* browser.get(path)).location).toBe("/confirm")
        const email = fresh()
        expect((yield* browser.submit(path, { email })).location).toBe("/confirm")
        expect((yield* browser.json("POST", path, { email })).status).toBe(403)
        expect(yield* messagesTo(email)).toEqual([])
        const guest = yield* TestApp.guest
        expect((yield* guest.get(path)).location).toBe("/login")
      })
    )

    it.effect("fills no mailbox", () =>
      Effect.gen(function* () {
        const email = fresh()
        for (let round = 0; round < 4; round++) {
          const browser = yield* TestApp.signedInUser()
          expect((yield* browser.submit(path, { email })).status).toBe(303)
        }
        expect(yield* messagesTo(email)).toHaveLength(3)
        const browser = yield* TestApp.signedInUser()
        const many = Effect.suspend(() => browser.submit(path, { email: fresh() }))
        const statuses = (yield* Effect.replicateEffect(many, 6)).map(({ status }) => status)
        expect(statuses).toEqual([303, 303, 303, 303, 303, 429])
      })
    )

    it.effect("refuses made-up links, and limits them", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const link = `/${"0".repeat(16)}/${"0".repeat(64)}`
        for (const [base, next] of [
          [path, "/account"],
          [`${path}/undo`, "/login"]
        ] as const) {
          expect((yield* browser.get(`${base}${link}`)).location).toBe(next)
          expect((yield* browser.submit(`${base}${link}`, {})).location).toBe(next)
          expect((yield* browser.get(`${base}/x/%00`)).location).toBe(next)
        }
        const statuses = yield* Effect.replicateEffect(browser.get(`${path}${link}`), 6)
        expect(statuses.map(({ status }) => status).at(-1)).toBe(429)
      })
    )

    it.effect("leaves nothing to whoever registered the address of another before", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.guest
        const [email, password] = [fresh(), "quiet harbour"]
        yield* thief.submit("/register", { email, password, password_confirmation: password })
        const away = fresh()
        yield* thief.submit(path, { email: away })
        const link = yield* lastLink(away, path)
        yield* thief.submit("/login", { email, password, remember: "1" })
        const users = yield* Users
        const { id } = Option.getOrThrow(yield* users.fetch(email))
        const tokens = yield* ApiTokens
        const token = yield* tokens.create(id, { name: "x", scopes: [] })
        // The owner of the address resets the password of the account that they find.
        const owner = yield* TestApp.guest
        yield* owner.submit("/forgot", { email })
        const next = "a third harbour"
        yield* owner.submit(yield* lastLink(email, "/reset"), { password: next, password_confirmation: next })
        expect((yield* thief.get("/account")).location).toBe("/login")
        expect((yield* thief.submit("/login", { email, password })).status).toBe(401)
        expect(Option.isNone(yield* Effect.flatMap(AccountChanges, ({ pendingEmail }) => pendingEmail(id)))).toBe(true)
        expect((yield* thief.submit(link, {})).location).toBe("/login")
        expect(Option.isNone(yield* tokens.verify(Redacted.make(Redacted.value(token.secret))))).toBe(true)
        expect((yield* owner.submit("/login", { email, password: next })).status).toBe(303)
        expect((yield* owner.json("GET", "/account")).json).toMatchObject({ email, verified: true, devices: [] })
      })
    )
  })
})
