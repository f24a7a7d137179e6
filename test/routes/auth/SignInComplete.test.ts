// A program's own way in, over real sockets: it ends in `SignIn.complete`, with everything that a password has.
import { HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import * as SqlAccountHooks from "../../../layers/auth/SqlAccountHooks.ts"
import * as SignIn from "../../../routes/auth/SignIn.ts"
import * as FormState from "../../../routes/session/FormState.ts"
import { Forbidden } from "../../../src/auth/AuthError.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"

const Badge = Schema.Struct({ email: Schema.String, remember: Schema.optional(Schema.String) })

const proved = Effect.gen(function* () {
  const { email, remember } = yield* Effect.orDie(FormState.read(Badge))
  const user = yield* Effect.flatMap(Users, ({ fetch }) => fetch(email))
  return { user: Option.getOrThrow(user), remember: remember !== undefined }
})

const routes = [
  HttpLayerRouter.route(
    "POST",
    "/badge",
    Effect.flatMap(proved, ({ remember, user }) => SignIn.complete(user, { by: "a badge", remember }))
  ),
  HttpLayerRouter.route(
    "POST",
    "/badge/bearer",
    Effect.flatMap(proved, ({ user }) => SignIn.completeBearer(user, { by: "a badge" }))
  )
]

const ran: Array<string> = []
const hooks = SqlAccountHooks.layer({
  signIn: {
    inTransaction: ({ email }) =>
      email.startsWith("suspended") ? new Forbidden({ reason: "Suspended." }) : Effect.sync(() => ran.push(email))
  }
})

const signedIn = (user: TestApp.TestUser) =>
  Effect.flatMap(SecurityEvents, ({ list }) =>
    Effect.map(list(user.id, { events: ["SignedIn"] }), ({ items }) => items)
  )

describeDatabases("A program's own way in", (database) => {
  layer(TestApp.layer(routes, { environment: "production", database: database.layer, services: hooks }))((it) => {
    it.effect("runs the hooks, records the event, trusts the device and returns to the page that was wanted", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const browser = yield* TestApp.guest
        yield* browser.get("/account/activity")
        const form = { email: user.email, remember: "1" }
        expect((yield* browser.submit("/badge", form)).location).toBe("/account/activity")
        expect(ran).toContain(user.email)
        expect(yield* signedIn(user)).toMatchObject([{ by: "a badge" }])
        browser.jar.delete("session")
        expect((yield* browser.get("/account")).status).toBe(200)
      })
    )

    it.effect("asks an account with a second factor for it first", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const { secret } = yield* FactorApp.enrol(user)
        const browser = yield* TestApp.guest
        expect((yield* browser.submit("/badge", { email: user.email })).location).toBe("/login/factor")
        expect((yield* browser.get("/account")).location).toBe("/login/factor")
        expect(ran).not.toContain(user.email)
        const code = yield* FactorApp.codeOf(secret)
        expect((yield* browser.submit("/login/factor", { code })).location).toBe("/account")
        expect(yield* signedIn(user)).toMatchObject([{ by: "a badge", factor: "totp" }])
      })
    )

    it.effect("leads a client that prefers JSON as well: what has its session without a page is `completeBearer`", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const client = yield* TestApp.guest
        const granted = yield* client.json("POST", "/badge", { email: user.email })
        expect([granted.status, granted.location]).toEqual([303, "/account"])
        yield* FactorApp.enrol(user)
        const other = yield* TestApp.guest
        const pending = yield* other.json("POST", "/badge", { email: user.email })
        expect([pending.status, pending.location]).toEqual([303, "/login/factor"])
      })
    )

    it.effect("is refused by a hook, and leaves nobody signed in", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser({ email: "suspended@example.com" })
        const browser = yield* TestApp.guest
        const { status, text } = yield* browser.submit("/badge", { email: user.email })
        expect([status, text.includes("Suspended.")]).toEqual([403, true])
        expect((yield* browser.get("/account")).location).toBe("/login")
      })
    )

    it.effect("gives a client without cookies the secret of a session, or a pending sign-in", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const client = yield* TestApp.guest
        const granted = yield* client.json("POST", "/badge/bearer", { email: user.email })
        expect([granted.status, granted.json]).toEqual([
          200,
          {
            account: { id: user.id, email: user.email, verified: true },
            bearer: { token: expect.stringMatching(/^efs_/), expires: expect.any(Number) }
          }
        ])
        yield* FactorApp.enrol(user)
        const pending = yield* client.json("POST", "/badge/bearer", { email: user.email })
        expect(pending).toMatchObject({ status: 202, json: { pending: expect.any(String) } })
      })
    )
  })
})
