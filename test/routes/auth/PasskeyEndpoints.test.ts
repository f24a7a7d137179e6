// Sign-in with a passkey by the typed API, over real sockets: with cookies, without them, and how it is attacked.
import { expect, layer } from "@effect/vitest"
import { Effect, Redacted, TestClock } from "effect"
import { Passkeys, type RequestOptions } from "../../../src/auth/Passkeys.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
import { Api, layer as server } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"
import type { SoftAuthenticator } from "../../support/SoftAuthenticator.ts"

const latest = Effect.fnUntraced(function* ({ id }: TestApp.TestUser) {
  const { items } = yield* Effect.flatMap(SecurityEvents, ({ list }) => list(id))
  return items[0]
})

/** Someone with a passkey and an authenticator app. */
const pending = Effect.tap(PasskeyUser.make, ({ user }) => FactorApp.enrol(user))

const answer = (device: SoftAuthenticator, options: RequestOptions) => Redacted.make(device.get(options))

const clientOf = (client: TestClient) => TestApp.apiClient(Api, client)

type Accounts = Effect.Effect.Success<ReturnType<typeof clientOf>>["accounts"]

/** A sign-in without cookies whose password was right. */
const held = Effect.fnUntraced(function* (accounts: Accounts, { email, password }: TestApp.TestUser) {
  const begun = yield* accounts.signInBearer({ payload: { email, password: Redacted.make(password) } })
  return "pending" in begun ? { secret: begun.pending } : expect.fail("no second step follows")
})

describeDatabases("The endpoints of a sign-in with a passkey", (database) => {
  layer(server(database))((it) => {
    it.effect("begin a session in a cookie, and trust the device where that is asked", () =>
      Effect.gen(function* () {
        const { device, user } = yield* PasskeyUser.make
        // The passkey has verified the person.
        yield* FactorApp.enrol(user)
        const browser = yield* TestApp.guest
        const { accounts } = yield* TestApp.apiClient(Api, browser)
        const credential = Redacted.make(device.get(yield* accounts.signInPasskeyOptions()))
        const account = yield* accounts.signInPasskey({ payload: { credential, remember: true } })
        expect(account).toMatchObject({ id: user.id, email: user.email })
        expect([...browser.jar.keys()].sort()).toEqual(["known_device", "remember", "session"])
        expect((yield* browser.get("/account")).text).toContain(user.email)
        expect(yield* latest(user)).toMatchObject({ _tag: "SignedIn", by: "passkey", outcome: "success" })
        // The session counts as confirmed.
        expect(yield* accounts.passkeys()).toHaveLength(1)
      })
    )

    it.effect("give a client without cookies a session, by the flow that the options came with", () =>
      Effect.gen(function* () {
        const { device, user } = yield* PasskeyUser.make
        yield* FactorApp.enrol(user)
        const client = yield* TestApp.guest
        const begun = yield* client.request("/api/bearer/sign-in/passkey/options", { method: "POST" })
        expect([begun.status, begun.cookies]).toEqual([200, []])
        const { accounts } = yield* TestApp.apiClient(Api, client)
        const { flow, options } = yield* accounts.signInPasskeyOptionsBearer()
        const payload = { credential: Redacted.make(device.get(options)), flow }
        const { account, bearer } = yield* accounts.signInPasskeyBearer({ payload })
        expect(account).toMatchObject({ id: user.id })
        expect(client.jar.has("remember")).toBe(false)
        client.headers.set("authorization", `Bearer ${Redacted.value(bearer.token)}`)
        expect(yield* accounts.me()).toMatchObject({ email: user.email })
        expect(yield* accounts.passkeys()).toHaveLength(1)
        expect(yield* latest(user)).toMatchObject({ _tag: "SignedIn", by: "passkey" })
      })
    )

    it.effect("refuse a flow of another client, a second use, a challenge of a browser, and one that is late", () =>
      Effect.gen(function* () {
        const { device, user } = yield* PasskeyUser.make
        const { accounts } = yield* TestApp.apiClient(Api)
        const begin = accounts.signInPasskeyOptionsBearer()
        const send = (options: Parameters<typeof device.get>[0], flow: Redacted.Redacted) =>
          accounts.signInPasskeyBearer({ payload: { credential: Redacted.make(device.get(options)), flow } })
        const [first, second] = [yield* begin, yield* begin]
        expect(Redacted.value(first.flow)).not.toBe(Redacted.value(second.flow))
        const refused = { _tag: "InvalidCredentials", error: "That passkey was not accepted. Try again." }
        expect(yield* Effect.flip(send(first.options, second.flow))).toMatchObject(refused)
        expect((yield* Effect.flip(send(first.options, Redacted.make(""))))._tag).toBe("InvalidInput")
        const used = yield* begin
        yield* send(used.options, used.flow)
        expect(yield* Effect.flip(send(used.options, used.flow))).toMatchObject(refused)
        const browser = yield* TestApp.apiClient(Api, yield* TestApp.guest)
        const theirs = yield* browser.accounts.signInPasskeyOptions()
        expect(yield* Effect.flip(send(theirs, used.flow))).toMatchObject(refused)
        const late = yield* begin
        yield* TestClock.adjust("5 minutes")
        expect(yield* Effect.flip(send(late.options, late.flow))).toMatchObject(refused)
        const removed = yield* begin
        yield* Effect.flatMap(Passkeys, ({ removeAll }) => removeAll(user.id))
        expect(yield* Effect.flip(send(removed.options, removed.flow))).toMatchObject(refused)
      })
    )

    it.effect("are limited by client, and need the token of a browser", () =>
      Effect.gen(function* () {
        const client = yield* TestApp.guest
        const { accounts } = yield* TestApp.apiClient(Api, client)
        for (let count = 0; count < 20; count++) yield* accounts.signInPasskeyOptionsBearer()
        expect((yield* Effect.flip(accounts.signInPasskeyOptionsBearer()))._tag).toBe("TooManyRequests")
        const browser = yield* TestApp.signedInUser()
        expect((yield* browser.request("/api/sign-in/passkey/options", { method: "POST" })).status).toBe(403)
        const json = { credential: "{}" }
        expect((yield* browser.request("/api/sign-in/passkey", { method: "POST", json })).status).toBe(403)
      })
    )

    it.effect("complete a sign-in whose password was right, in a browser and without cookies", () =>
      Effect.gen(function* () {
        const { device, user } = yield* pending
        const browser = yield* TestApp.guest
        const { accounts } = yield* TestApp.apiClient(Api, browser)
        const payload = { email: user.email, password: Redacted.make(user.password), remember: true }
        expect(yield* accounts.signIn({ payload })).toMatchObject({ factors: ["totp", "recovery", "passkey"] })
        const options = yield* accounts.signInFactorOptions()
        expect(options.allowCredentials).toHaveLength(1)
        const account = yield* accounts.signInFactorPasskey({ payload: { credential: answer(device, options) } })
        expect(account).toMatchObject({ id: user.id })
        expect([...browser.jar.keys()].sort()).toEqual(["known_device", "remember", "session"])
        expect(yield* latest(user)).toMatchObject({ _tag: "SignedIn", by: "password", factor: "passkey" })

        const client = yield* TestApp.guest
        const without = (yield* TestApp.apiClient(Api, client)).accounts
        const { secret } = yield* held(without, user)
        const credential = answer(device, yield* without.signInFactorOptionsBearer({ payload: { pending: secret } }))
        const done = yield* without.signInFactorPasskeyBearer({ payload: { credential, pending: secret } })
        expect([done.account.id, client.jar.has("known_device")]).toEqual([user.id, false])
        client.headers.set("authorization", `Bearer ${Redacted.value(done.bearer.token)}`)
        expect(yield* without.me()).toMatchObject({ email: user.email })
        const again = yield* Effect.flip(
          without.signInFactorPasskeyBearer({ payload: { credential, pending: secret } })
        )
        expect(again._tag).toBe("PendingEnded")
      })
    )

    it.effect("accept for a pending sign-in no other account, challenge or sign-in, and five tries are all", () =>
      Effect.gen(function* () {
        const { device, user } = yield* pending
        const other = yield* pending
        const { accounts } = yield* TestApp.apiClient(Api, yield* TestApp.guest)
        const [first, second] = [yield* held(accounts, user), yield* held(accounts, user)]
        const ask = (one: typeof first) => accounts.signInFactorOptionsBearer({ payload: { pending: one.secret } })
        const send = (credential: Redacted.Redacted) =>
          Effect.flip(accounts.signInFactorPasskeyBearer({ payload: { credential, pending: first.secret } }))
        const alone = yield* accounts.signInPasskeyOptionsBearer()
        const wrong = [
          answer(other.device, yield* ask(first)),
          answer(device, yield* ask(second)),
          answer(device, alone.options),
          Redacted.make(device.get(yield* ask(first), { userVerified: false }))
        ]
        const refused = { _tag: "InvalidCredentials", error: "That passkey was not accepted. Try again." }
        for (const credential of wrong) expect(yield* send(credential)).toMatchObject(refused)
        expect((yield* send(Redacted.make("{}")))._tag).toBe("PendingEnded")
        expect((yield* send(answer(device, yield* ask(second))))._tag).toBe("PendingEnded")
        expect((yield* Effect.flip(ask(first)))._tag).toBe("PendingEnded")
        const nobody = yield* TestApp.apiClient(Api, yield* TestApp.guest)
        expect((yield* Effect.flip(nobody.accounts.signInFactorOptions()))._tag).toBe("PendingEnded")
        const credential = Redacted.make("{}")
        const none = yield* Effect.flip(nobody.accounts.signInFactorPasskey({ payload: { credential } }))
        expect(none._tag).toBe("PendingEnded")
      })
    )
  })
})
