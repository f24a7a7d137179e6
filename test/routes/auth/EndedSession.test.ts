// What a request leaves behind whose session ends while it is under way, over real sockets.
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted, TestClock } from "effect"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { Users } from "../../../src/auth/Users.ts"
import { RateLimit } from "../../../src/session/RateLimit.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { BackgroundWork } from "../../../testing/BackgroundWork.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as TestProvider from "../../../testing/TestProvider.ts"
import { Api, app, everything } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import { lastLink } from "../../support/MailedLinks.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"
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

/** What happens when the next account is taken back, right before its sessions end. */
let lastMoment: Effect.Effect<unknown> = Effect.void

const ending = Layer.effect(
  Trust,
  Effect.map(Trust, (trust) =>
    Trust.of({
      ...trust,
      revoke: (user) =>
        Effect.suspend(() => {
          const happening = lastMoment
          lastMoment = Effect.void
          return Effect.zipRight(happening, trust.revoke(user))
        })
    })
  )
)

describeDatabases("A session that ends while its request is under way", (database) => {
  const all = Layer.mergeAll(everything, interrupted, ending, TestProvider.layer())
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

    it.effect("gets no recovery codes", () =>
      Effect.gen(function* () {
        for (const client of yield* clients) {
          const { accounts } = yield* TestApp.apiClient(Api, client)
          yield* FactorApp.enrol(client.user)
          yield* endAll(client.user)
          expect(yield* Effect.flip(accounts.renewRecoveryCodes())).toMatchObject({ _tag: "Unauthenticated" })
        }
      })
    )

    it.effect("leaves no deletion", () =>
      Effect.gen(function* () {
        const changes = yield* AccountChanges
        for (const client of yield* clients) {
          const { accounts } = yield* TestApp.apiClient(Api, client)
          yield* endAll(client.user)
          const failure = yield* Effect.flip(accounts.requestDeletion())
          expect([failure._tag, yield* changes.deletion(client.user.id)]).toEqual(["Unauthenticated", Option.none()])
        }
      })
    )

    it.effect("leaves no identity that waited for its sign-in", () =>
      Effect.gen(function* () {
        const { list } = yield* LinkedIdentities
        const provider = yield* TestProvider.TestProvider
        const user = yield* TestApp.enrolledUser()
        const thief = yield* TestApp.guest
        yield* provider.signIn(thief, { sub: "thief", email: user.email })
        yield* endAll(user)
        yield* thief.submit("/login", { email: user.email, password: user.password })
        expect([(yield* thief.get("/account")).location, yield* list(user.id)]).toEqual(["/login", []])
      })
    )

    it.effect("leaves no passkey of its last moment", () =>
      Effect.gen(function* () {
        const { browser: thief, user } = yield* PasskeyUser.make
        const { id } = user
        const report = yield* lastLink(user.email, "/not-me")
        const made: Array<number> = []
        const add = Effect.map(PasskeyUser.add(thief, "Of the thief"), ({ response }) => made.push(response.status))
        lastMoment = add
        expect((yield* (yield* TestApp.guest).submit(report, {})).location).toBe("/login")
        const { list } = yield* Passkeys
        expect([made, yield* list(id), (yield* thief.get("/account")).location]).toEqual([[303], [], "/login"])
      })
    )
  })
})
