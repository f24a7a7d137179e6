// The password is set where there is none, and removed where another way in stays: pages and API, over real sockets.
import { expect, layer } from "@effect/vitest"
import { Effect, Redacted, TestClock } from "effect"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import type { RequestOptions } from "../../../src/auth/internal/passkeys/PasskeyOptions.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { SignInMethods } from "../../../src/auth/SignInMethods.ts"
import { Users } from "../../../src/auth/Users.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import { Api, everything } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import { lastLink } from "../../support/MailedLinks.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"
import * as PasswordlessUser from "../../support/PasswordlessUser.ts"

const password = "another quiet harbour"
const chosen = { password, password_confirmation: password }

const later = TestClock.adjust("10 minutes")

const methodsOf = ({ id }: TestApp.TestUser) => Effect.flatMap(SignInMethods, ({ list }) => list(id))

const eventsOf = ({ id }: TestApp.TestUser) =>
  Effect.flatMap(SecurityEvents, ({ list }) => Effect.map(list(id), ({ items }) => items.map(({ _tag }) => _tag)))

const subjectsTo = ({ email }: TestApp.TestUser) =>
  Effect.map(
    Effect.flatMap(CapturedMail, ({ messagesTo }) => messagesTo(email)),
    (messages) => messages.map(({ subject }) => subject)
  )

const signInWith = Effect.fnUntraced(function* ({ email }: TestApp.TestUser, given: string) {
  const guest = yield* TestApp.guest
  return (yield* guest.submit("/login", { email, password: given })).status
})

const confirmBy = Effect.fnUntraced(function* (
  client: TestClient,
  device: { get: (options: RequestOptions) => string }
) {
  const options = (yield* client.json("POST", "/confirm/passkey/options")).json as RequestOptions
  return yield* client.submit("/confirm/passkey", { credential: device.get(options) })
})

const app = Pipeline.app([...Pipeline.pages([PasswordlessUser.route, ...AuthRoutes.routes]), ...Pipeline.api(Api)])

describeDatabases("The password of an account", (database) => {
  layer(TestApp.layerOf(app, { environment: "production", database: database.layer, services: everything }))((it) => {
    it.effect("is set without a current one, and ends every other session", () =>
      Effect.gen(function* () {
        const browser = yield* PasswordlessUser.make
        const { user } = browser
        const elsewhere = yield* PasswordlessUser.signIn(user)
        const page = yield* browser.get("/password")
        expect(page.text).toContain("Set a password")
        expect(page.body).not.toContain('name="current"')
        expect((yield* browser.submit("/password", { password: "short" })).status).toBe(422)
        const done = yield* browser.submit("/password", chosen)
        expect([done.status, done.location]).toEqual([303, "/account"])
        expect((yield* browser.get("/account")).text).toContain("Password set. Other devices were signed out.")
        expect((yield* elsewhere.get("/account")).location).toBe("/login")
        expect(yield* signInWith(user, password)).toBe(303)
        expect(yield* eventsOf(user)).toContain("PasswordSet")
        expect(yield* subjectsTo(user)).toContain("A password was set for your account")
        // From now on the current one is asked for, whatever was confirmed.
        expect((yield* browser.submit("/password", { password, password_confirmation: password })).status).toBe(422)
        expect((yield* browser.get("/password")).body).toContain('name="current"')
      })
    )

    it.effect("is set only after a recent confirmation, by JSON and by the API too", () =>
      Effect.gen(function* () {
        const browser = yield* PasswordlessUser.make
        yield* later
        expect((yield* browser.get("/password")).location).toBe("/confirm")
        expect((yield* browser.submit("/password", chosen)).location).toBe("/confirm")
        expect(yield* browser.json("POST", "/password", { password })).toMatchObject({
          status: 403,
          json: { confirm: "/confirm" }
        })
        expect((yield* browser.json("POST", "/api/password", { password })).status).toBe(403)
        expect((yield* browser.json("POST", "/api/password/remove", {})).status).toBe(403)
        expect(yield* methodsOf(browser.user)).toEqual({ password: "none", passkeys: 0, identities: 0, former: 0 })
        const { accounts } = yield* TestApp.apiClient(Api, yield* PasswordlessUser.signIn(browser.user))
        yield* accounts.setPassword({ payload: { password: Redacted.make(password) } })
        expect(yield* signInWith(browser.user, password)).toBe(303)
      })
    )

    it.effect("asks who has nothing to confirm with to sign in again", () =>
      Effect.gen(function* () {
        const browser = yield* PasswordlessUser.make
        yield* later
        const page = yield* browser.get("/confirm")
        expect(page.text).toContain("Sign out and sign in again")
        expect(page.body).not.toContain('name="current"')
        expect(page.body).not.toContain('name="code"')
        expect((yield* browser.submit("/confirm", { current: "" })).status).toBe(422)
        expect((yield* browser.submit("/confirm", { current: "!" })).status).toBe(422)
        expect((yield* browser.submit("/logout", {})).location).toBe("/login")
        yield* browser.submit("/badge", { email: browser.user.email })
        expect((yield* browser.get("/password")).status).toBe(200)
      })
    )

    it.effect("gives way to a code and a passkey wherever it would be asked for", () =>
      Effect.gen(function* () {
        const byPasskey = yield* PasswordlessUser.make
        const { device } = yield* PasskeyUser.add(byPasskey)
        const byCode = yield* PasswordlessUser.make
        const { secret } = yield* FactorApp.enrol(byCode.user)
        yield* later
        for (const path of ["/password", "/account/email", "/account/delete", "/account/factors", "/account/export"]) {
          expect((yield* byPasskey.get(path)).location).toBe("/confirm")
        }
        expect((yield* byPasskey.get("/account/tokens/new")).location).toBe("/confirm")
        const page = yield* byPasskey.get("/confirm")
        expect(page.body).toContain('action="/confirm/passkey"')
        expect(page.body).toMatch(/data-no-passkeys>[^]*action="\/logout"/)
        expect(page.body).not.toContain('name="current"')
        expect((yield* confirmBy(byPasskey, device)).location).toBe("/account/tokens/new")
        expect((yield* byPasskey.get("/account/tokens/new")).location).toBe("/account/tokens")
        expect((yield* byPasskey.get("/account/email")).status).toBe(200)

        expect((yield* byCode.get("/account/delete")).location).toBe("/confirm")
        const withCode = yield* byCode.get("/confirm")
        expect(withCode.body).toContain('name="code"')
        expect(withCode.body).not.toContain('name="current"')
        const code = yield* FactorApp.codeOf(secret)
        expect((yield* byCode.submit("/confirm", { code })).location).toBe("/account/delete")
        expect((yield* byCode.submit("/password", chosen)).location).toBe("/account")
      })
    )

    it.effect("is not asked for by the page of API tokens where there is none", () =>
      Effect.gen(function* () {
        const browser = yield* PasswordlessUser.make
        const form = { name: "Backup", "scope notes:read": "1" }
        yield* later
        const page = yield* browser.get("/account/tokens")
        expect(page.body).toContain('href="/account/tokens/new"')
        expect(page.body).not.toContain('name="current"')
        expect((yield* browser.submit("/account/tokens", form)).location).toBe("/confirm")
        expect((yield* browser.submit("/account/tokens", { ...form, current: "!" })).status).toBe(422)
        const again = yield* PasswordlessUser.signIn(browser.user)
        expect((yield* again.submit("/account/tokens", form)).status).toBe(201)
      })
    )

    it.effect("is removed where another way in stays, and ends every other session", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const { user } = browser
        expect((yield* browser.get("/password")).body).not.toContain('href="/password/remove"')
        const removal = { current: user.password }
        const refused = yield* browser.submit("/password/remove", removal)
        expect([refused.status, refused.text]).toEqual([
          409,
          expect.stringContaining("This is your only way to sign in.")
        ])
        const { device } = yield* PasskeyUser.add(browser)
        const elsewhere = yield* TestApp.signedInUser(user)
        const tokens = yield* ApiTokens
        yield* tokens.create(user.id, { name: "Backup", scopes: ["notes:read"] })
        expect((yield* browser.get("/password")).body).toContain('href="/password/remove"')
        expect((yield* browser.get("/password/remove")).body).toContain('name="keep_tokens"')
        for (const form of [{}, { current: "not this" }]) {
          expect((yield* browser.submit("/password/remove", form)).status).toBe(422)
        }
        const before = browser.jar.get("session")
        expect((yield* browser.submit("/password/remove", { ...removal, keep_tokens: "1" })).location).toBe("/account")
        expect(browser.jar.get("session")).not.toBe(before)
        expect((yield* browser.get("/account")).text).toContain("Password removed.")
        expect(yield* tokens.list(user.id)).toHaveLength(1)
        expect((yield* elsewhere.get("/account")).location).toBe("/login")
        expect(yield* signInWith(user, user.password)).toBe(401)
        expect((yield* PasskeyUser.signIn(yield* TestApp.guest, device)).status).toBe(303)
        expect(yield* eventsOf(user)).toContain("PasswordRemoved")
        expect(yield* subjectsTo(user)).toContain("Your password was removed")
      })
    )

    it.effect("is removed only after a recent confirmation", () =>
      Effect.gen(function* () {
        const { browser, user } = yield* PasskeyUser.make
        yield* later
        expect((yield* browser.get("/password/remove")).location).toBe("/confirm")
        expect((yield* browser.submit("/password/remove", { current: user.password })).location).toBe("/confirm")
        expect((yield* methodsOf(user)).password).toBe("set")
      })
    )

    it.effect("or the last passkey stays, when both are removed at once", () =>
      Effect.gen(function* () {
        for (let round = 0; round < 3; round++) {
          const { browser, handle, user } = yield* PasskeyUser.make
          const second = yield* TestApp.signedInUser(user)
          const outcomes = yield* Effect.all(
            [
              browser.submit("/password/remove", { current: user.password }),
              second.json("DELETE", `/api/passkeys/${handle}`)
            ],
            { concurrency: "unbounded" }
          )
          const { passkeys, password: state } = yield* methodsOf(user)
          expect(
            [state === "set", passkeys > 0].filter(Boolean),
            outcomes.map(({ status }) => status).join()
          ).toHaveLength(1)
        }
      })
    )

    it.effect("of a report is locked until a reset: a session neither replaces nor removes it", () =>
      Effect.gen(function* () {
        const { browser, device, handle, user } = yield* PasskeyUser.make
        yield* Effect.flatMap(Users, ({ lock }) => lock(user.id))
        const inside = yield* TestApp.guest
        yield* PasskeyUser.signIn(inside, device)
        expect((yield* inside.get("/password")).body).toContain('href="/forgot"')
        expect((yield* inside.get("/account")).text).toContain("locked")
        for (const form of [chosen, { ...chosen, current: user.password }]) {
          expect((yield* inside.submit("/password", form)).status).toBe(422)
        }
        expect((yield* inside.submit("/password/remove", { current: user.password })).status).toBe(422)
        expect((yield* inside.json("POST", "/api/password", { password })).status).toBe(422)
        expect((yield* inside.submit("/account/passkeys/remove", { handle })).status).toBe(409)
        expect(yield* methodsOf(user)).toEqual({ password: "locked", passkeys: 1, identities: 0, former: 0 })
        yield* browser.submit("/forgot", { email: user.email })
        yield* inside.submit(yield* lastLink(user.email, "/reset"), chosen)
        expect((yield* methodsOf(user)).password).toBe("set")
      })
    )

    it.effect("is listed, set and removed by the API, which a passkey confirms", () =>
      Effect.gen(function* () {
        const browser = yield* PasswordlessUser.make
        const { device } = yield* PasskeyUser.add(browser)
        const bearer = yield* TestApp.bearerUser(browser.user)
        const { accounts } = yield* TestApp.apiClient(Api, bearer)
        expect(yield* accounts.signInMethods()).toEqual({ password: "none", passkeys: 1, identities: 0 })
        const { json } = yield* bearer.get("/api/sign-in-methods")
        expect(json).toEqual({ password: "none", passkeys: 1, identities: 0 })
        yield* later
        const payload = { password: Redacted.make(password) }
        expect((yield* Effect.flip(accounts.setPassword({ payload })))._tag).toBe("ConfirmationRequired")
        const options = yield* accounts.confirmPasskeyOptions()
        const credential = Redacted.make(device.get(options))
        const confirmed = yield* accounts.confirmPasskey({ payload: { credential } })
        const use = (one: { readonly bearer?: { readonly token: Redacted.Redacted } | undefined }) =>
          bearer.headers.set("authorization", `Bearer ${Redacted.value(one.bearer?.token ?? Redacted.make(""))}`)
        use(confirmed)
        expect((yield* Effect.flip(accounts.confirmPasskey({ payload: { credential } })))._tag).toBe("InvalidInput")
        use(yield* accounts.setPassword({ payload }))
        expect((yield* Effect.flip(accounts.setPassword({ payload })))._tag).toBe("InvalidInput")
        use(yield* accounts.removePassword({ payload: { current: payload.password } }))
        expect(yield* accounts.signInMethods()).toEqual({ password: "none", passkeys: 1, identities: 0 })
        const [passkey] = yield* accounts.passkeys()
        const removed = accounts.removePasskey({ path: { handle: passkey?.handle ?? "" } })
        expect((yield* Effect.flip(removed))._tag).toBe("LastSignInMethod")
      })
    )

    it.effect("is on the account page among the ways in", () =>
      Effect.gen(function* () {
        const browser = yield* PasswordlessUser.make
        const page = yield* browser.get("/account")
        expect(page.text).toMatch(
          /Ways to sign in[^]*Password not set[^]*Set password[^]*Passkeys none[^]*Manage passkeys/
        )
        yield* browser.submit("/password", chosen)
        yield* PasskeyUser.add(browser)
        expect((yield* browser.get("/account")).text).toMatch(/Password set\s+Change password\s+Passkeys 1/)
      })
    )
  })
})
