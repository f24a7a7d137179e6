// Sign-in with a provider by the typed API, over real sockets: with cookies, without them, and how it is attacked.
import { expect, layer } from "@effect/vitest"
import { Effect, Redacted, TestClock } from "effect"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"
import { describeDatabases } from "../../support/Databases.ts"
import {
  bearerOf,
  clientOf,
  codeIn,
  inBrowser,
  listed,
  returning,
  secretOf,
  server,
  withCode
} from "../../support/ProviderClient.ts"

type Json = Readonly<Record<string, unknown>>

let count = 0
const fresh = () => `client-${count++}`

const linkedTo = Effect.fnUntraced(function* (user: TestApp.TestUser, subject = fresh()) {
  const { issuer } = yield* TestProvider.TestProvider
  const identities = yield* LinkedIdentities
  yield* identities.link(user.id, { issuer, subject, provider: "test", label: subject })
  return subject
})

const latest = Effect.fnUntraced(function* ({ id }: TestApp.TestUser) {
  const { items } = yield* Effect.orDie(Effect.flatMap(SecurityEvents, ({ list }) => list(id)))
  return items[0]
})

const ended = { _tag: "PendingEnded" }

describeDatabases("The endpoints of a sign-in with a provider", (database) => {
  layer(server(database))((it) => {
    it.effect("name the providers, and give a client without cookies a session for a code, once", () =>
      Effect.gen(function* () {
        const sub = fresh()
        const email = `${sub}@example.com`
        const { accounts, client, payload } = yield* withCode({ sub, email })
        expect(yield* accounts.providers()).toEqual([{ id: "test", name: "Test" }])
        const signedIn = yield* accounts.signInProviderBearer({ payload })
        expect((yield* client.get("/account")).location).toBe("/login")
        client.headers.set("authorization", bearerOf(signedIn))
        expect(yield* accounts.me()).toMatchObject({ email, verified: false })
        expect(yield* Effect.flip(accounts.signInProviderBearer({ payload }))).toMatchObject(ended)
        // The next time it is the same account, and what the identity has begun ends with it.
        const again = yield* withCode({ sub })
        again.client.headers.set(
          "authorization",
          bearerOf(yield* again.accounts.signInProviderBearer({ payload: again.payload }))
        )
        const { id } = yield* again.accounts.me()
        const { list, remove } = yield* LinkedIdentities
        const [linked] = yield* list(id)
        yield* remove(id, linked?.handle ?? "")
        expect((yield* Effect.flip(again.accounts.me()))._tag).toBe("Unauthenticated")
      })
    )

    it.effect("begin a session in a cookie, and trust the device where that is asked", () =>
      Effect.gen(function* () {
        const sub = fresh()
        const { accounts, client, payload } = yield* inBrowser({ sub, email: `${sub}@example.com`, auth_time: 1e12 })
        expect((yield* client.get("/account")).location).toBe("/login")
        const account = yield* accounts.signInProvider({ payload: { ...payload, remember: true } })
        expect(account).toMatchObject({ email: `${sub}@example.com` })
        expect(client.jar.has("remember")).toBe(true)
        expect((yield* client.get("/account")).text).toContain(sub)
        expect(yield* accounts.identities()).toMatchObject([{ provider: "test", label: `${sub}@example.com` }])
      })
    )

    it.effect("leave a sign-in pending for the second factor, without a cookie or a bearer before it", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const factor = yield* TestApp.authenticatorApp(user)
        yield* TestClock.adjust("1 minute")
        const sub = yield* linkedTo(user)
        const { accounts, client, payload } = yield* withCode({ sub, amr: ["mfa"] })
        const outcome = yield* accounts.signInProviderBearer({ payload })
        if (!("pending" in outcome)) throw new Error("No second step follows")
        expect(outcome.factors).toContain("totp")
        expect((yield* client.get("/account")).location).toBe("/login")
        const code = Redacted.make(yield* factor.code)
        const done = yield* accounts.signInFactorBearer({ payload: { code, pending: outcome.pending } })
        expect(yield* latest(user)).toMatchObject({ _tag: "SignedIn", by: "Test", factor: "totp" })
        client.headers.set("authorization", bearerOf(done))
        expect(yield* accounts.me()).toMatchObject({ email: user.email })
        // The session knows what began it, also after the second step.
        const { list, remove } = yield* LinkedIdentities
        const [linked] = yield* list(user.id)
        yield* remove(user.id, linked?.handle ?? "")
        expect((yield* Effect.flip(accounts.me()))._tag).toBe("Unauthenticated")

        const other = yield* TestApp.enrolledUser()
        yield* TestApp.authenticatorApp(other)
        const browser = yield* inBrowser({ sub: yield* linkedTo(other) })
        expect(yield* browser.accounts.signInProvider({ payload: browser.payload })).toMatchObject({
          factors: ["totp", "recovery"]
        })
        expect((yield* Effect.flip(browser.accounts.me()))._tag).toBe("Unauthenticated")
        expect(browser.client.jar.has("remember")).toBe(false)
      })
    )

    it.effect("complete a sign-up that needs an address, and keep the code while the form is refused", () =>
      Effect.gen(function* () {
        const sub = fresh()
        const { accounts, client, payload } = yield* withCode({ sub })
        const next = yield* accounts.signInProviderBearer({ payload })
        if (!("next" in next) || next.next !== "sign-up") throw new Error("No sign-up follows")
        expect(next).toMatchObject({ fields: {} })
        const form = { ...payload, code: next.code }
        const wrong = accounts.signUpProviderBearer({ payload: { ...form, email: "no address" } })
        expect(yield* Effect.flip(wrong)).toMatchObject({ _tag: "InvalidInput" })
        // The first code is used up, and the second is for the sign-up alone.
        expect(yield* Effect.flip(accounts.signInProviderBearer({ payload: form }))).toMatchObject(ended)
        const renewed = yield* withCode({ sub })
        const again = yield* renewed.accounts.signInProviderBearer({ payload: renewed.payload })
        if (!("next" in again)) throw new Error("No sign-up follows")
        yield* TestClock.adjust("5 minutes")
        const email = `${sub}@known.example`
        const done = yield* renewed.accounts.signUpProviderBearer({
          payload: { ...renewed.payload, code: again.code, email }
        })
        client.headers.set("authorization", bearerOf(done))
        // The person has typed it: it is not what the provider said.
        expect(yield* accounts.me()).toMatchObject({ email, verified: false })
      })
    )

    it.effect("limit sign-ups by client as the page does, and keep the code over the limit", () =>
      Effect.gen(function* () {
        const { accounts, client, payload } = yield* withCode({ sub: fresh() })
        const next = yield* accounts.signInProviderBearer({ payload })
        if (!("next" in next)) throw new Error("No sign-up follows")
        const form = { ...payload, code: next.code, email: `${fresh()}@example.com` }
        const guess = accounts.signUpProviderBearer({ payload: { ...form, code: Redacted.make("none") } })
        const guesses = yield* Effect.replicateEffect(Effect.flip(guess), 6)
        expect(guesses.map(({ _tag }) => _tag)).toEqual([
          ...Array.from({ length: 5 }, () => ended._tag),
          "TooManyRequests"
        ])
        expect((yield* client.submit("/login/with/test/complete", { email: form.email })).status).toBe(429)
        expect((yield* Effect.flip(accounts.signUpProviderBearer({ payload: form })))._tag).toBe("TooManyRequests")
        const elsewhere = yield* clientOf(yield* TestApp.guest)
        expect(yield* elsewhere.signUpProviderBearer({ payload: form })).toMatchObject({
          account: { email: form.email }
        })
      })
    )

    it.effect("ask for one sign-in to the account of the address, and connect it then", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const { accounts, payload } = yield* withCode({ sub: fresh(), email: user.email, email_verified: true })
        const next = yield* accounts.signInProviderBearer({ payload })
        if (!("next" in next) || next.next !== "connect") throw new Error("No connection follows")
        const redemption = { ...payload, code: next.code }
        const stranger = yield* clientOf(yield* TestApp.bearerUser())
        expect(yield* Effect.flip(stranger.addIdentity({ payload: redemption }))).toMatchObject(ended)
        const retried = yield* withCode({ sub: fresh(), email: user.email })
        const second = yield* retried.accounts.signInProviderBearer({ payload: retried.payload })
        if (!("next" in second)) throw new Error("No connection follows")
        const owner = yield* clientOf(yield* TestApp.bearerUser(user))
        const linked = yield* owner.addIdentity({ payload: { ...retried.payload, code: second.code } })
        expect(linked).toMatchObject({ provider: "test", label: user.email })
        expect(yield* owner.identities()).toHaveLength(1)
      })
    )

    it.effect("connect, list and disconnect identities of the account, and keep the last way in", () =>
      Effect.gen(function* () {
        for (const member of [yield* TestApp.bearerUser(), yield* TestApp.signedInUser()]) {
          const accounts = yield* clientOf(member)
          const { challenge, verifier } = secretOf()
          const begin = accounts.beginIdentity({
            path: { provider: "test" },
            payload: { challenge, return_to: listed }
          })
          const { url } = yield* begin
          const sub = fresh()
          const location = yield* returning(url, { sub }, member.headers.has("authorization") ? undefined : member)
          const payload = { code: codeIn(location), verifier: Redacted.make(verifier) }
          const { handle } = yield* accounts.addIdentity({ payload })
          expect((yield* accounts.identities()).map((one) => one.handle)).toEqual([handle])
          // Another account has it.
          const other = yield* TestApp.bearerUser()
          const theirs = yield* clientOf(other)
          const { url: address } = yield* theirs.beginIdentity({
            path: { provider: "test" },
            payload: { challenge, return_to: listed }
          })
          const taken = { ...payload, code: codeIn(yield* returning(address, { sub })) }
          expect(yield* Effect.flip(theirs.addIdentity({ payload: taken }))).toMatchObject({ _tag: "IdentityTaken" })
          expect((yield* accounts.removeIdentity({ path: { handle } })).message).toContain("disconnected")
          expect(yield* accounts.identities()).toEqual([])
        }
        const sub = fresh()
        const only = yield* withCode({ sub, email: `${sub}@example.com` })
        only.client.headers.set(
          "authorization",
          bearerOf(yield* only.accounts.signInProviderBearer({ payload: only.payload }))
        )
        const [{ handle } = { handle: "" }] = yield* only.accounts.identities()
        const failure = yield* Effect.flip(only.accounts.removeIdentity({ path: { handle } }))
        expect(failure._tag).toBe("LastSignInMethod")
      })
    )

    it.effect("confirm by an identity whose owner was asked again", () =>
      Effect.gen(function* () {
        const member = yield* TestApp.bearerUser()
        const accounts = yield* clientOf(member)
        const sub = yield* linkedTo(member.user)
        yield* TestClock.adjust("11 minutes")
        expect((yield* Effect.flip(accounts.identities()))._tag).toBe("ConfirmationRequired")
        const { challenge, verifier } = secretOf()
        const begin = accounts.beginConfirmation({
          path: { provider: "test" },
          payload: { challenge, return_to: listed }
        })
        const confirm = Effect.fnUntraced(function* (claims: Json) {
          const { url } = yield* begin
          expect(new URL(url).searchParams.get("max_age")).toBe("0")
          const payload = { code: codeIn(yield* returning(url, claims)), verifier: Redacted.make(verifier) }
          return yield* accounts.confirmProvider({ payload })
        })
        expect(yield* Effect.flip(confirm({ sub, auth_time: 1 }))).toMatchObject({ _tag: "InvalidInput" })
        expect(yield* Effect.flip(confirm({ sub: fresh(), auth_time: 1e12 }))).toMatchObject({ _tag: "InvalidInput" })
        const done = yield* confirm({ sub, auth_time: 1e12 })
        member.headers.set("authorization", bearerOf(done))
        expect(yield* accounts.identities()).toHaveLength(1)
      })
    )

    it.effect("tell the client why there is no code, and limit what a client begins", () =>
      Effect.gen(function* () {
        const provider = yield* TestProvider.TestProvider
        const client = yield* TestApp.guest
        const accounts = yield* clientOf(client)
        const { challenge } = secretOf()
        const begin = accounts.beginProviderBearer({
          path: { provider: "test" },
          payload: { challenge, return_to: "https://spa.example/back?tab=1" }
        })
        const refused = "https://spa.example/back?tab=1&error=refused"
        yield* provider.lie({ signature: "broken" })
        expect(yield* returning((yield* begin).url, { sub: fresh() })).toBe(refused)
        yield* provider.lie({})
        const { url } = yield* begin
        yield* TestClock.adjust("10 minutes")
        expect(yield* returning(url, { sub: fresh() })).toBe("https://spa.example/back?tab=1&error=expired")
        yield* Effect.replicateEffect(begin, 20)
        expect((yield* Effect.flip(begin))._tag).toBe("TooManyRequests")
      })
    )
  })
})
