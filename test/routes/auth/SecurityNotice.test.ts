// Who is told of what happens to an account, how often, and that nothing is left out.
import { expect, layer } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { collected, Notices } from "../../../src/auth/internal/Notices.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"
import { lastLink } from "../../support/MailedLinks.ts"

const path = "/account/factors"

const secretOf = (page: string): string => (/id="secret">([A-Z2-7 ]+)</.exec(page)?.[1] ?? "").replaceAll(" ", "")
const enrollmentOf = (page: string): string => /name="enrolment" value="([^"]+)"/.exec(page)?.[1] ?? ""

const addApp = Effect.fnUntraced(function* (browser: TestApp.SignedInClient) {
  yield* FactorApp.nextCode
  yield* browser.submit("/confirm", { current: browser.user.password })
  const page = yield* browser.get(`${path}/new`)
  const [enrolment, code] = [enrollmentOf(page.body), yield* FactorApp.codeOf(secretOf(page.body))]
  return (yield* browser.submit(path, { enrolment, name: "App", code })).status
})

/** Adds an app and removes it, as often as the account may; how many changes that were. */
const loop = Effect.fnUntraced(function* (browser: TestApp.SignedInClient) {
  const factors = yield* Factors
  let changes = 0
  while ((yield* addApp(browser)) === 201) {
    const [app] = yield* factors.list(browser.user.id)
    expect((yield* browser.submit(`${path}/remove`, { handle: app?.handle ?? "" })).location).toBe(path)
    changes += 2
  }
  return changes
})

const sweep = Effect.gen(function* () {
  const { sendDue } = yield* Notices
  return yield* sendDue
})

const messages = (email: string) => Effect.flatMap(CapturedMail, ({ messagesTo }) => messagesTo(email))

const lines = (text: string): number => text.split("\n").filter((line) => /^\S.*: .*, .* UTC$/.test(line)).length

describeDatabases("A notice", (database) => {
  layer(TestApp.layer([], { environment: "production", database: database.layer }))((it) => {
    it.effect("goes to no address that nobody has proved, whatever happens to the account", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser({ verified: false })
        const { email, password } = browser.user
        expect(yield* loop(browser)).toBe(40)
        yield* FactorApp.enrol(browser.user)
        const thief = yield* TestApp.guest
        yield* thief.submit("/login", { email, password })
        for (let count = 0; count < 6; count++) yield* thief.submit("/login/factor", { code: "000000" })
        yield* TestClock.adjust(collected)
        yield* sweep
        expect(yield* messages(email)).toEqual([])
      })
    )

    it.effect(
      "comes at once for the first of each kind in an hour; the rest is one message that lists every change",
      () =>
        Effect.gen(function* () {
          const browser = yield* TestApp.signedInUser()
          const { email } = browser.user
          const changes = yield* loop(browser)
          expect(changes).toBe(40)
          const atOnce = ["A sign-in method was added", "A sign-in method was removed"]
          expect((yield* messages(email)).map(({ subject }) => subject)).toEqual(atOnce)
          yield* TestClock.adjust(collected)
          yield* sweep
          const all = yield* messages(email)
          expect(all.map(({ subject }) => subject)).toEqual([...atOnce, "More changes to your account"])
          const [, , last] = all
          expect(lines(last?.text ?? "")).toBe(changes - atOnce.length)
          expect(last?.html.match(/A sign-in method was (added|removed): /g)).toHaveLength(changes - atOnce.length)
          // A new hour, a new message.
          yield* TestClock.adjust("1 hour")
          expect(yield* addApp(browser)).toBe(201)
          expect((yield* messages(email)).slice(3).map(({ subject }) => subject)).toEqual(atOnce.slice(0, 1))
        })
    )

    it.effect("of a passkey comes at once, also in the hour in which an app was added", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        expect(yield* addApp(browser)).toBe(201)
        yield* browser.submit("/confirm", { current: browser.user.password })
        yield* PasskeyUser.add(browser, "A thief's")
        const subjects = (yield* messages(browser.user.email)).map(({ subject }) => subject)
        expect(subjects).toEqual(["A sign-in method was added", "A sign-in method was added"])
      })
    )

    it.effect("has a link that reaches back to the first of the changes that it lists", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const { email, id } = browser.user
        const passkeys = yield* Passkeys
        const names = Effect.map(passkeys.list(id), (all) => all.map(({ name }) => name))
        // The owner's own, which is told at once, and then a thief's.
        for (const name of ["Own", "First", "Second", "Third"]) {
          yield* PasskeyUser.add(browser, name)
          yield* TestClock.adjust("10 seconds")
        }
        expect(yield* names).toHaveLength(4)
        yield* TestClock.adjust(collected)
        yield* sweep
        const guest = yield* TestApp.guest
        expect((yield* guest.submit(yield* lastLink(email, "/not-me"), {})).location).toBe("/login")
        expect(yield* names).toEqual(["Own"])
      })
    )

    it.effect("comes twelve times an hour at most, also of new passwords, and every change is told", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const { email } = browser.user
        const sent: Array<number> = []
        let [current, changes, seen] = [browser.user.password, 0, 0]
        // Three hours of a person who changes the password whenever they may, and a worker that sweeps every ten minutes.
        for (let minute = 0; minute < 180; minute++) {
          const password = `quiet harbour ${minute}`
          const form = { current, password, password_confirmation: password }
          if ((yield* browser.submit("/password", form)).location === "/account") {
            current = password
            changes++
          }
          if (minute % 10 === 9) yield* sweep
          const now = (yield* messages(email)).length
          for (; seen < now; seen++) sent.push(minute)
          yield* TestClock.adjust("1 minute")
        }
        yield* TestClock.adjust(collected)
        yield* sweep
        const all = yield* messages(email)
        const told = all.map(({ subject, text }) => (subject === "Your password was changed" ? 1 : lines(text)))
        expect(changes).toBe(60)
        expect(told.reduce((total, one) => total + one, 0)).toBe(changes)
        for (const from of sent)
          expect(sent.filter((at) => at >= from && at < from + 60).length).toBeLessThanOrEqual(12)
      })
    )
  })
})
