// Passkeys and second factors through the API of accounts, over real sockets.
import { expect, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { Factors } from "../../../src/auth/Factors.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Api, layer as server } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"
import { SoftAuthenticator } from "../../support/SoftAuthenticator.ts"

const eventsOf = ({ id }: TestApp.TestUser) =>
  Effect.flatMap(SecurityEvents, (events) =>
    Effect.map(events.list(id), ({ items }) => items.map(({ _tag }) => _tag).filter((tag) => tag !== "SignedIn"))
  )

describeDatabases("Second factors through the API", (database) => {
  layer(server(database))((it) => {
    it.effect("are passkeys: made, used, renamed and removed, by a bearer session and by a browser", () =>
      Effect.gen(function* () {
        for (const client of [yield* TestApp.bearerUser(), yield* TestApp.signedInUser()]) {
          const { accounts } = yield* TestApp.apiClient(Api, client)
          expect(yield* accounts.passkeys()).toEqual([])
          const device = new SoftAuthenticator(TestApp.appUrl)
          const credential = Redacted.make(device.create(yield* accounts.passkeyOptions()))
          const made = yield* accounts.addPasskey({ payload: { name: " Phone ", credential } })
          expect(made).toMatchObject({ handle: expect.any(String), name: "Phone", created: expect.any(Number) })
          const again = yield* Effect.flip(accounts.addPasskey({ payload: { name: "Phone", credential } }))
          expect(again._tag).toBe("InvalidInput")
          const path = { handle: made.handle }
          const renamed = yield* accounts.renamePasskey({ path, payload: { name: "Old phone" } })
          expect(renamed.message).toBe("The passkey has a new name.")
          expect((yield* accounts.passkeys()).map(({ name }) => name)).toEqual(["Old phone"])
          const nameless = yield* Effect.flip(accounts.renamePasskey({ path, payload: { name: " " } }))
          expect(nameless).toMatchObject({ _tag: "InvalidInput", fields: { name: expect.any(String) } })
          expect((yield* PasskeyUser.signIn(yield* TestApp.guest, device)).status).toBe(303)
          const removed = yield* accounts.removePasskey({ path })
          expect(yield* accounts.removePasskey({ path })).toEqual(removed)
          expect((yield* PasskeyUser.signIn(yield* TestApp.guest, device)).status).toBe(401)
          expect(yield* eventsOf(client.user)).toEqual(["PasskeyRemoved", "PasskeyAdded"])
        }
      })
    )

    it.effect("are authenticator apps and recovery codes", () =>
      Effect.gen(function* () {
        const factors = yield* Factors
        for (const client of [yield* TestApp.bearerUser(), yield* TestApp.signedInUser()]) {
          yield* FactorApp.nextCode
          const { accounts } = yield* TestApp.apiClient(Api, client)
          expect(yield* accounts.factors()).toEqual({ apps: [], recoveryCodes: 0, everyDevice: false })
          const none = yield* Effect.flip(accounts.renewRecoveryCodes())
          expect(none._tag).toBe("InvalidInput")
          const { enrolment, secret, uri } = yield* accounts.beginApp()
          expect(Redacted.value(uri)).toContain(Redacted.value(secret))
          const wrong = Redacted.make(yield* FactorApp.wrongCode(Redacted.value(secret)))
          const refused = yield* Effect.flip(accounts.addApp({ payload: { enrolment, name: "App", code: wrong } }))
          expect(refused).toMatchObject({ _tag: "InvalidInput", fields: { code: expect.any(String) } })
          const code = Redacted.make(yield* FactorApp.codeOf(Redacted.value(secret)))
          const added = yield* accounts.addApp({ payload: { enrolment, name: "App", code } })
          expect([added.factor.name, added.recoveryCodes.length]).toEqual(["App", 10])
          const used = yield* Effect.flip(accounts.addApp({ payload: { enrolment, name: "App", code } }))
          expect(used._tag).toBe("EnrollmentExpired")
          yield* accounts.askOnEveryDevice({ payload: { every_device: true } })
          expect(yield* accounts.factors()).toMatchObject({ recoveryCodes: 10, everyDevice: true })
          yield* accounts.askOnEveryDevice({ payload: { every_device: false } })
          expect(yield* accounts.factors()).toMatchObject({ everyDevice: false })
          const { recoveryCodes } = yield* accounts.renewRecoveryCodes()
          const [old, renewed] = [added.recoveryCodes[0], recoveryCodes[0]].map((one) => one ?? Redacted.make(""))
          expect(yield* factors.verify(client.user.id, old ?? wrong)).toEqual(Option.none())
          expect(yield* factors.verify(client.user.id, renewed ?? wrong)).toEqual(Option.some("recovery"))
          const path = { handle: added.factor.handle }
          const removed = yield* accounts.removeApp({ path })
          expect(yield* accounts.removeApp({ path })).toEqual(removed)
          expect(yield* accounts.factors()).toEqual({ apps: [], recoveryCodes: 0, everyDevice: false })
          expect(yield* eventsOf(client.user)).toEqual(["FactorRemoved", "RecoveryCodesRenewed", "FactorAdded"])
        }
      })
    )

    it.effect("belong to their account, and an address that is not verified has no passkey", () =>
      Effect.gen(function* () {
        const owner = yield* PasskeyUser.make
        const { factor } = yield* FactorApp.enrol(owner.user)
        const { accounts } = yield* TestApp.apiClient(Api, yield* TestApp.bearerUser())
        const [passkey, app] = [{ handle: owner.handle }, { handle: factor.handle }]
        const unknown = { handle: "\0" }
        const name = { name: "Mine" }
        expect(yield* accounts.renamePasskey({ path: passkey, payload: name })).toEqual(
          yield* accounts.renamePasskey({ path: unknown, payload: name })
        )
        expect(yield* accounts.removePasskey({ path: passkey })).toEqual(
          yield* accounts.removePasskey({ path: unknown })
        )
        expect(yield* accounts.removeApp({ path: app })).toEqual(yield* accounts.removeApp({ path: unknown }))
        const passkeys = yield* Passkeys
        expect((yield* passkeys.list(owner.user.id)).map((one) => one.name)).toEqual(["Phone"])
        expect(yield* Effect.flatMap(Factors, ({ list }) => list(owner.user.id))).toHaveLength(1)
        const stranger = yield* TestApp.bearerUser(yield* TestApp.enrolledUser({ verified: false }))
        const unverified = yield* TestApp.apiClient(Api, stranger)
        expect((yield* Effect.flip(unverified.accounts.passkeyOptions()))._tag).toBe("Forbidden")
        const payload = { ...name, credential: Redacted.make("{}") }
        expect((yield* Effect.flip(unverified.accounts.addPasskey({ payload })))._tag).toBe("Forbidden")
      })
    )
  })
})
