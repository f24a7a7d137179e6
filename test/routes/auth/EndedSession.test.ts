// What a request leaves behind whose session ends while it is under way, over real sockets.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Redacted, TestClock } from "effect"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { Users } from "../../../src/auth/Users.ts"
import { RateLimit } from "../../../src/session/RateLimit.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { BackgroundWork } from "../../../testing/BackgroundWork.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { Api, app, services } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import { SoftAuthenticator } from "../../support/SoftAuthenticator.ts"

/** What happens between the guard of the next limited request and its handler. */
let meanwhile: Effect.Effect<unknown> = Effect.void

const interrupted = Layer.effect(
  RateLimit,
  Effect.map(RateLimit, (limits) =>
    RateLimit.of({
      ...limits,
      hit: (rule, key) =>
        Effect.suspend(() => {
          const happening = meanwhile
          meanwhile = Effect.void
          return Effect.zipRight(happening, limits.hit(rule, key))
        })
    })
  )
)

describeDatabases("A session that ends while its request is under way", (database) => {
  const all = Layer.merge(services, interrupted)
  layer(TestApp.layerOf(app, { environment: "production", database: database.layer, services: all }))((it) => {
    const clients = Effect.all([TestApp.signedInUser(), TestApp.bearerUser()])

    /** As a reset of the password does: every session first, then what the sessions have made. */
    const endAll = Effect.fnUntraced(function* ({ id }: TestApp.TestUser) {
      const sessions = yield* Sessions
      const tokens = yield* ApiTokens
      meanwhile = Effect.zipRight(sessions.revoke(id), tokens.revokeAll(id))
    })

    it.effect("leaves no API token", () =>
      Effect.gen(function* () {
        const tokens = yield* ApiTokens
        for (const client of yield* clients) {
          const { accounts } = yield* TestApp.apiClient(Api, client)
          yield* endAll(client.user)
          const failure = yield* Effect.flip(
            accounts.createToken({ payload: { name: "Backup", scopes: ["notes:read"] } })
          )
          expect([failure._tag, yield* tokens.list(client.user.id)]).toEqual(["Unauthenticated", []])
        }
      })
    )

    it.effect("leaves no passkey", () =>
      Effect.gen(function* () {
        const passkeys = yield* Passkeys
        for (const client of yield* clients) {
          const { accounts } = yield* TestApp.apiClient(Api, client)
          const device = new SoftAuthenticator(TestApp.appUrl)
          const credential = Redacted.make(device.create(yield* accounts.passkeyOptions()))
          yield* endAll(client.user)
          const failure = yield* Effect.flip(accounts.addPasskey({ payload: { name: "Phone", credential } }))
          expect([failure._tag, yield* passkeys.list(client.user.id)]).toEqual(["Unauthenticated", []])
        }
      })
    )

    it.effect("leaves no password that it has set", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const chosen = Redacted.make("another quiet harbour")
        for (const client of yield* clients) {
          const { accounts } = yield* TestApp.apiClient(Api, client)
          const { id } = client.user
          yield* users.removePassword(id, Redacted.make(client.user.password))
          yield* endAll(client.user)
          const failure = yield* Effect.flip(accounts.setPassword({ payload: { password: chosen } }))
          expect([failure._tag, yield* users.passwordState(id)]).toEqual(["Unauthenticated", "none"])
        }
      })
    )

    it.effect("leaves no authenticator app, which would lock the owner out", () =>
      Effect.gen(function* () {
        const factors = yield* Factors
        for (const client of yield* clients) {
          const { accounts } = yield* TestApp.apiClient(Api, client)
          const { enrolment, secret } = yield* accounts.beginApp()
          const code = Redacted.make(yield* FactorApp.codeOf(Redacted.value(secret)))
          yield* endAll(client.user)
          const failure = yield* Effect.flip(accounts.addApp({ payload: { enrolment, name: "App", code } }))
          expect([failure._tag, yield* factors.list(client.user.id)]).toEqual(["Unauthenticated", []])
          expect(yield* factors.countRecoveryCodes(client.user.id)).toBe(0)
        }
      })
    )

    it.effect("leaves no change of the e-mail address", () =>
      Effect.gen(function* () {
        const { idle } = yield* BackgroundWork
        const changes = yield* AccountChanges
        for (const client of yield* clients) {
          const { accounts } = yield* TestApp.apiClient(Api, client)
          yield* TestClock.adjust("1 minute")
          yield* endAll(client.user)
          yield* Effect.exit(accounts.changeEmail({ payload: { email: `thief-of-${client.user.email}` } }))
          yield* idle
          expect((yield* changes.pendingEmail(client.user.id))._tag).toBe("None")
        }
      })
    )
  })
})
