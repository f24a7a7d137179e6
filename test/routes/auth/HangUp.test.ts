// A thief who hangs up in the middle of a change, over real sockets: its owner is told all the same.
import { expect, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { type Event, SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Users } from "../../../src/auth/Users.ts"
import { RequestEvents } from "../../../src/observability/RequestEvents.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { app, services } from "../../support/AccountsApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"
import * as PasskeyUser from "../../support/PasskeyUser.ts"
import { SoftAuthenticator } from "../../support/SoftAuthenticator.ts"

/** What happens once the next of these changes is stored. */
let stored: Effect.Effect<unknown> = Effect.void

const noticed = <A, E, R>(change: Effect.Effect<A, E, R>) =>
  Effect.tap(
    change,
    Effect.suspend(() => {
      const happening = stored
      stored = Effect.void
      return happening
    })
  )

const watched = Layer.mergeAll(
  Layer.effect(
    ApiTokens,
    Effect.map(ApiTokens, (tokens) =>
      ApiTokens.of({
        ...tokens,
        create: (...given) => noticed(tokens.create(...given)),
        revoke: (...given) => noticed(tokens.revoke(...given))
      })
    )
  ),
  Layer.effect(
    Passkeys,
    Effect.map(Passkeys, (passkeys) =>
      Passkeys.of({
        ...passkeys,
        enroll: (...given) => noticed(passkeys.enroll(...given)),
        remove: (...given) => noticed(passkeys.remove(...given))
      })
    )
  ),
  Layer.effect(
    Factors,
    Effect.map(Factors, (factors) =>
      Factors.of({
        ...factors,
        remove: (...given) => noticed(factors.remove(...given)),
        renewRecoveryCodes: (user) => noticed(factors.renewRecoveryCodes(user))
      })
    )
  ),
  Layer.effect(
    Users,
    Effect.map(Users, (users) => Users.of({ ...users, rotate: (...given) => noticed(users.rotate(...given)) }))
  )
)

/** Begins a change, and hangs up as soon as it is stored. */
const hangUp = Effect.fnUntraced(function* <A>(change: Effect.Effect<A>) {
  const [begun, noticed, gate] = yield* Effect.all([
    Deferred.make<void>(),
    Deferred.make<void>(),
    Deferred.make<void>()
  ])
  const events = yield* RequestEvents
  yield* events.listen({
    handled: ({ aborted }) => {
      if (aborted) Deferred.unsafeDone(noticed, Effect.void)
    }
  })
  stored = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(gate))
  const request = yield* Effect.fork(change)
  yield* Deferred.await(begun)
  yield* Fiber.interrupt(request)
  yield* Deferred.await(noticed)
  yield* Deferred.succeed(gate, undefined)
}, Effect.scoped)

// On SQLite the tests and the server run in one thread.
const turn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** Waits until the account has such an event. */
const recorded = Effect.fnUntraced(function* (user: TestApp.TestUser, event: Event["_tag"]) {
  const { list } = yield* SecurityEvents
  const found = Effect.map(list(user.id, { events: [event] }), ({ items }) => items.length)
  return yield* Effect.repeat(Effect.zipRight(turn, found), { until: (count) => count > 0 })
})

describeDatabases("A client that hangs up", (database) => {
  const all = Layer.merge(services, watched)
  layer(TestApp.layerOf(app, { environment: "production", database: database.layer, services: all }))((it) => {
    it.effect("cannot keep a new password from its owner", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.signedInUser()
        const password = "what the thief wants"
        const form = { current: thief.user.password, password, password_confirmation: password }
        yield* hangUp(thief.submit("/password", form))
        expect(yield* recorded(thief.user, "PasswordChanged")).toBe(1)
      })
    )

    it.effect("cannot keep an API token from its owner, nor its end", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.signedInUser()
        yield* hangUp(thief.submit("/account/tokens", { name: "x", days: "90", "scope notes:read": "1" }))
        expect(yield* recorded(thief.user, "TokenCreated")).toBe(1)
        const tokens = yield* ApiTokens
        const [handle = ""] = (yield* tokens.list(thief.user.id)).map((one) => one.handle)
        yield* hangUp(thief.submit("/account/tokens/revoke", { handle }))
        expect(yield* recorded(thief.user, "TokenRevoked")).toBe(1)
      })
    )

    it.effect("cannot keep a passkey from its owner, nor its end", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.signedInUser()
        const device = new SoftAuthenticator(TestApp.appUrl)
        const credential = device.create(yield* PasskeyUser.creationOptions(thief))
        yield* hangUp(thief.submit(PasskeyUser.path, { name: "Phone", credential }))
        expect(yield* recorded(thief.user, "PasskeyAdded")).toBe(1)
        const passkeys = yield* Passkeys
        const [handle = ""] = (yield* passkeys.list(thief.user.id)).map((one) => one.handle)
        yield* hangUp(thief.submit(`${PasskeyUser.path}/remove`, { handle }))
        expect(yield* recorded(thief.user, "PasskeyRemoved")).toBe(1)
      })
    )

    it.effect("cannot keep renewed recovery codes from the owner, nor the end of an authenticator app", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.signedInUser()
        const { factor } = yield* FactorApp.enrol(thief.user)
        yield* hangUp(thief.submit("/account/factors/recovery-codes", {}))
        expect(yield* recorded(thief.user, "RecoveryCodesRenewed")).toBe(1)
        yield* hangUp(thief.submit("/account/factors/remove", { handle: factor.handle }))
        expect(yield* recorded(thief.user, "FactorRemoved")).toBe(1)
      })
    )
  })
})
