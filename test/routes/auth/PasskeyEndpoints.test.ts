// Sign-in with a passkey by the typed API, over real sockets: with cookies, without them, and how it is attacked.
import { expect, layer } from "@effect/vitest"
import { Effect, Redacted, TestClock } from "effect"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Api, layer as server } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"

const latest = Effect.fnUntraced(function* ({ id }: TestApp.TestUser) {
  const { items } = yield* Effect.flatMap(SecurityEvents, ({ list }) => list(id))
  return items[0]
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
  })
})
