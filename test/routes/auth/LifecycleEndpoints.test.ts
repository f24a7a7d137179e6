// The life cycle of an account through its API, over real sockets, with the client that Effect derives from it.
import { expect, layer } from "@effect/vitest"
import { Duration, Effect, Option, Redacted, TestClock } from "effect"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { DueDeletions } from "../../../src/auth/internal/AccountWorkers.ts"
import { Users } from "../../../src/auth/Users.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Api, app, layer as server, services } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { lastToken } from "../../support/MailedLinks.ts"

let count = 0
const fresh = () => `moved-${count++}@example.com`

const tokenTo = (email: string, below: string) => Effect.map(lastToken(email, below), (token) => Redacted.make(token))

const grace = Duration.hours(1)

const clients = Effect.gen(function* () {
  return [yield* TestApp.bearerUser(), yield* TestApp.signedInUser()]
})

describeDatabases("The life cycle of an account through the API", (database) => {
  layer(server(database, { settings: { deletionGrace: grace } }))((it) => {
    it.effect("changes the address: asked for, shown while it waits, cancelled, made and undone", () =>
      Effect.gen(function* () {
        for (const client of yield* clients) {
          const { accounts } = yield* TestApp.apiClient(Api, client)
          const { email: old, id } = client.user
          const email = fresh()
          expect(yield* accounts.email()).toEqual({ email: old, pending: null })
          const sent = yield* accounts.changeEmail({ payload: { email } })
          expect(sent.message).toContain(email)
          const cancelled = yield* tokenTo(email, "/account/email")
          expect((yield* accounts.email()).pending).toEqual({ email, expires: expect.any(Number) })
          expect((yield* accounts.cancelEmailChange()).message).toContain("cancelled")
          expect(yield* accounts.cancelEmailChange()).toEqual(yield* accounts.cancelEmailChange())
          const guest = (yield* TestApp.apiClient(Api)).accounts
          const gone = yield* Effect.flip(accounts.redeemEmailChange({ payload: { token: cancelled } }))
          expect(gone._tag).toBe("InvalidLink")
          yield* accounts.changeEmail({ payload: { email } })
          const token = yield* tokenTo(email, "/account/email")
          expect((yield* Effect.flip(guest.redeemEmailChange({ payload: { token } })))._tag).toBe("Unauthenticated")
          const other = (yield* TestApp.apiClient(Api, yield* TestApp.bearerUser())).accounts
          expect((yield* Effect.flip(other.redeemEmailChange({ payload: { token } })))._tag).toBe("InvalidLink")
          expect((yield* accounts.redeemEmailChange({ payload: { token } })).message).toContain("is changed")
          expect(yield* accounts.me()).toMatchObject({ email, verified: true })
          const undo = yield* tokenTo(old, "/account/email/undo")
          expect((yield* guest.undoEmailChange({ payload: { token: undo } })).message).toContain("is restored")
          expect((yield* Effect.flip(accounts.me()))._tag).toBe("Unauthenticated")
          const account = yield* Effect.flatMap(Users, ({ findById }) => findById(id))
          expect(Option.getOrThrow(account).email).toBe(old)
        }
      })
    )

    it.effect("answers alike for an address that has an account, and takes none that has one by now", () =>
      Effect.gen(function* () {
        const [one, two] = [yield* TestApp.bearerUser(), yield* TestApp.bearerUser()]
        const [first, second] = [yield* TestApp.apiClient(Api, one), yield* TestApp.apiClient(Api, two)]
        const free = fresh()
        const answers = []
        for (const email of [free, two.user.email]) {
          const sent = yield* first.accounts.changeEmail({ payload: { email } })
          yield* Effect.flatMap(CapturedMail, (mail) => mail.messages)
          const { pending } = yield* first.accounts.email()
          answers.push([sent.message.replace(email, "…"), pending?.email.replace(email, "…")])
        }
        expect(answers[1]).toEqual(answers[0])
        yield* first.accounts.changeEmail({ payload: { email: free } })
        const token = yield* tokenTo(free, "/account/email")
        yield* second.accounts.changeEmail({ payload: { email: free } })
        const other = yield* tokenTo(free, "/account/email")
        yield* second.accounts.redeemEmailChange({ payload: { token: other } })
        const taken = yield* Effect.flip(first.accounts.redeemEmailChange({ payload: { token } }))
        expect(taken).toMatchObject({ _tag: "EmailTaken", error: "This e-mail is already registered." })
      })
    )

    it.effect("deletes the account after its days, unless it is kept", () =>
      Effect.gen(function* () {
        for (const signedIn of [TestApp.bearerUser(), TestApp.signedInUser()]) {
          const client = yield* signedIn
          const { accounts } = yield* TestApp.apiClient(Api, client)
          expect(yield* accounts.deletion()).toEqual({ due: null })
          const { due } = yield* accounts.requestDeletion()
          expect((yield* Effect.flip(accounts.me()))._tag).toBe("Unauthenticated")
          const again = (yield* TestApp.apiClient(Api, yield* TestApp.bearerUser(client.user))).accounts
          expect(yield* again.deletion()).toEqual({ due })
          expect(yield* again.cancelDeletion()).toEqual({ message: "Your account is kept." })
          expect(yield* again.cancelDeletion()).toEqual({ message: "Your account is kept." })
          expect(yield* again.deletion()).toEqual({ due: null })
          yield* again.requestDeletion()
          yield* TestClock.adjust(grace)
          yield* Effect.flatMap(DueDeletions, ({ sweep }) => sweep)
          expect(Option.isNone(yield* Effect.flatMap(Users, ({ findById }) => findById(client.user.id)))).toBe(true)
        }
      })
    )

    it.effect("exports what the page exports, and ends every session and device", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const { accounts } = yield* TestApp.apiClient(Api, browser)
        const device = yield* TestApp.guest
        const { email, password } = browser.user
        yield* device.submit("/login", { email, password, remember: "on" })
        const page = yield* browser.json("GET", "/account/export")
        const { events, ...exported } = yield* accounts.exported()
        const shown = JSON.parse(page.body) as { readonly events: ReadonlyArray<unknown> }
        expect([JSON.parse(JSON.stringify(exported)), events.length]).toEqual([
          expect.objectContaining({
            account: { id: browser.user.id, email, verified: true },
            passkeys: [],
            factors: []
          }),
          shown.events.length + 1
        ])
        expect(yield* accounts.signOutEverywhere()).toEqual({ message: expect.any(String) })
        for (const client of [browser, device]) expect((yield* client.json("GET", "/api/me")).status).toBe(401)
      })
    )
  })
})

const guarded = [
  ["GET", "/email"],
  ["POST", "/email"],
  ["DELETE", "/email"],
  ["GET", "/deletion"],
  ["POST", "/deletion"],
  ["GET", "/export"],
  ["GET", "/passkeys"],
  ["POST", "/passkeys/options"],
  ["POST", "/passkeys"],
  ["PATCH", "/passkeys/x"],
  ["DELETE", "/passkeys/x"],
  ["GET", "/factors"],
  ["POST", "/factors/enrolment"],
  ["POST", "/factors"],
  ["DELETE", "/factors/x"],
  ["POST", "/factors/recovery-codes"],
  ["PUT", "/factors/every-device"]
] as const

const open = [
  ["DELETE", "/deletion"],
  ["POST", "/sign-out/everywhere"]
] as const

describeDatabases("An endpoint of the account's life cycle", (database) => {
  layer(server(database))((it) => {
    it.effect("is for a signed-in person who confirmed it: no guest, forged form, bad bearer or API token", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const tokens = yield* ApiTokens
        const scopes = ["notes:read", "notes:write"]
        const { secret } = yield* tokens.create(browser.user.id, { name: "backup", scopes })
        const guest = yield* TestApp.guest
        for (const [method, path] of [...guarded, ...open]) {
          const at = `/api${path}`
          const request = { method, ...(method === "GET" || method === "DELETE" ? {} : { json: {} }) }
          expect([method, path, (yield* guest.request(at, request)).status]).toEqual([method, path, 401])
          for (const bearer of [Redacted.value(secret), "efs_nothing"]) {
            const headers = { authorization: `Bearer ${bearer}` }
            const refused = yield* browser.request(at, { ...request, headers })
            expect([method, path, refused.status]).toEqual([method, path, 401])
          }
          if (method === "GET") continue
          const forged = yield* browser.request(at, request)
          expect([method, path, forged.status, forged.json]).toEqual([
            method,
            path,
            403,
            { error: "Invalid CSRF token", _tag: "CsrfMismatch", reason: "token" }
          ])
        }
        yield* TestClock.adjust("10 minutes")
        const bearer = yield* TestApp.bearerUser(browser.user)
        yield* TestClock.adjust("10 minutes")
        for (const client of [browser, bearer]) {
          for (const [method, path] of guarded) {
            const response = yield* client.json(method, `/api${path}`, {})
            expect([method, path, response.status, response.json]).toEqual([
              method,
              path,
              403,
              expect.objectContaining({ _tag: "ConfirmationRequired" })
            ])
          }
        }
        const { accounts } = yield* TestApp.apiClient(Api, browser)
        yield* accounts.confirm({ payload: { current: Redacted.make(browser.user.password) } })
        expect(yield* accounts.email()).toMatchObject({ email: browser.user.email })
      })
    )
  })
})

layer(TestApp.layerOf(app, { services }))("A program without AccountDeletion.layer", (it) => {
  it.effect("has no endpoints of a deletion", () =>
    Effect.gen(function* () {
      const client = yield* TestApp.signedInUser()
      for (const method of ["GET", "POST", "DELETE"]) {
        expect([method, (yield* client.json(method, "/api/deletion", {})).status]).toEqual([method, 404])
      }
    })
  )
})
