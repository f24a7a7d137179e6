// A change of password is all or nothing, whatever happens while the new one is being hashed.
import { expect, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Option, Redacted, TestClock } from "effect"
import { Overloaded, Password } from "../../../src/auth/Password.ts"
import { Users } from "../../../src/auth/Users.ts"
import { RequestEvents } from "../../../src/observability/RequestEvents.ts"
import * as AuthApp from "../../support/AuthApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { lastLink } from "../../support/MailedLinks.ts"
import * as Visitor from "../../support/Visitor.ts"
import * as InsecurePassword from "../../../testing/InsecurePassword.ts"

/** What the hasher does with the passwords that come next. */
interface Hasher {
  before: Effect.Effect<void, Overloaded>
}

class Turn extends Context.Tag("test/Turn")<Turn, Hasher>() {}

const turned = Layer.effect(
  Password,
  Effect.gen(function* () {
    const plain = yield* Password
    const turn = yield* Turn
    return Password.of({
      ...plain,
      hash: (password) =>
        Effect.zipRight(
          Effect.suspend(() => turn.before),
          plain.hash(password)
        )
    })
  })
).pipe(Layer.provide(InsecurePassword.layer))

const app = (database: Parameters<typeof AuthApp.layer>[0]) => {
  const turn: Hasher = { before: Effect.void }
  const shared = Layer.succeed(Turn, turn)
  return Layer.merge(AuthApp.layer(database, { hashing: Layer.provide(turned, shared) }), shared)
}

/** Does something before the next password is hashed. */
const beforeNext = (turn: Hasher, happening: Effect.Effect<unknown>) => {
  turn.before = Effect.suspend(() => {
    turn.before = Effect.void
    return Effect.asVoid(happening)
  })
}

const fresh = "a brand new password"

describeDatabases("PasswordReplacement", (database) => {
  layer(app(database))((it) => {
    it.scoped("ends the old sessions though the client hangs up in the middle of it", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const turn = yield* Turn
        const { person, visitor } = yield* AuthApp.register()
        const link = yield* AuthApp.recoveryLink(person.email)
        const begun = yield* Deferred.make<void>()
        const gate = yield* Deferred.make<void>()
        const aborted = yield* Deferred.make<void>()
        const events = yield* RequestEvents
        yield* events.listen({
          handled: (event) => {
            if (event.aborted) Deferred.unsafeDone(aborted, Effect.void)
          }
        })
        const stranger = Visitor.make(app.url)
        yield* stranger.get(link)
        turn.before = Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(gate))
        const request = yield* Effect.fork(stranger.submit(link, { password: fresh }))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(request)
        yield* Deferred.await(aborted)
        turn.before = Effect.void
        yield* Deferred.succeed(gate, undefined)
        yield* Effect.repeat(visitor.get("/account"), { until: ({ location }) => location === "/login" })
        expect((yield* AuthApp.signIn({ ...person, password: fresh })).response.status).toBe(303)
      })
    )

    it.effect("waits for its turn when the line of hashes is full: the link is already spent", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const turn = yield* Turn
        const { person } = yield* AuthApp.register()
        const link = yield* AuthApp.recoveryLink(person.email)
        const stranger = Visitor.make(app.url)
        yield* stranger.get(link)
        let refusals = 0
        const refused = yield* Deferred.make<void>()
        turn.before = Effect.suspend(() => {
          if (++refusals > 3) return Effect.void
          return Effect.zipRight(Deferred.succeed(refused, undefined), new Overloaded({ retryAfter: 1 }))
        })
        const request = yield* Effect.fork(stranger.submit(link, { password: fresh }))
        yield* Deferred.await(refused)
        const advance = TestClock.adjust("500 millis").pipe(Effect.zipRight(Fiber.poll(request)))
        yield* Effect.repeat(advance, { until: Option.isSome })
        turn.before = Effect.void
        expect((yield* Fiber.join(request)).location).toBe("/login")
        expect(refusals).toBe(4)
        expect((yield* AuthApp.signIn({ ...person, password: fresh })).response.status).toBe(303)
      })
    )

    it.effect("leaves the password of a reset that comes while that of a change is hashed", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const turn = yield* Turn
        const { person, visitor } = yield* AuthApp.register()
        const link = yield* AuthApp.recoveryLink(person.email)
        const owner = Visitor.make(app.url)
        yield* owner.get(link)
        yield* visitor.get("/password")
        beforeNext(turn, owner.submit(link, { password: fresh }))
        const wanted = "what the thief wants"
        const change = yield* visitor.submit("/password", { current: person.password, password: wanted })
        expect([change.status, change.text]).toEqual([422, expect.stringContaining("Current password is incorrect.")])
        expect((yield* AuthApp.signIn({ ...person, password: wanted })).response.status).toBe(401)
        expect((yield* AuthApp.signIn({ ...person, password: fresh })).response.status).toBe(303)
      })
    )

    it.effect("stores none for an address that the account loses while the password is hashed", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const turn = yield* Turn
        const users = yield* Users
        const { person, visitor } = yield* AuthApp.register()
        const { id } = yield* Effect.flatten(users.fetch(person.email))
        yield* users.confirm(id)
        const email = `thief-of-${person.email}`
        yield* visitor.get("/account/email")
        yield* visitor.submit("/account/email", { email })
        yield* visitor.submit(yield* lastLink(email, "/account/email"), {})
        const undo = yield* lastLink(person.email, "/account/email/undo")
        const owner = Visitor.make(app.url)
        yield* owner.get(undo)
        const link = yield* AuthApp.recoveryLink(email)
        const thief = Visitor.make(app.url)
        yield* thief.get(link)
        beforeNext(turn, owner.submit(undo, {}))
        expect((yield* thief.submit(link, { password: fresh })).location).toBe("/forgot")
        expect(Option.map(yield* users.findById(id), (account) => account.email)).toEqual(Option.some(person.email))
        expect(yield* users.check(id, Redacted.make(fresh))).toBe(false)
      })
    )

    it.effect("responds with 503 and Retry-After to a sign-up when the queue is full", () =>
      Effect.gen(function* () {
        const app = yield* AuthApp.AuthApp
        const turn = yield* Turn
        turn.before = new Overloaded({ retryAfter: 7 })
        const { response, person } = yield* AuthApp.register()
        turn.before = Effect.void
        expect(response.status).toBe(503)
        expect(response.headers.get("retry-after")).toBe("7")
        expect(yield* app.messagesTo(person.email)).toEqual([])
        expect((yield* AuthApp.register(person)).response.status).toBe(303)
      })
    )
  })
})
