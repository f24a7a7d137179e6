// A program's own way in, over real sockets: it ends in `SignIn.complete`, with everything that a password has.
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpLayerRouter } from "@effect/platform"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Schema } from "effect"
import * as SqlAccountHooks from "../../../layers/auth/SqlAccountHooks.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as SignIn from "../../../routes/auth/SignIn.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as FormState from "../../../routes/session/FormState.ts"
import { Forbidden } from "../../../src/auth/AuthError.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Users } from "../../../src/auth/Users.ts"
import { Sessions } from "../../../src/session/Session.ts"
import type { Identity } from "../../../src/session/Identity.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import type { TestClient } from "../../../testing/TestClient.ts"
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

// Reads its payload by itself: what is tested is how the sign-in ends.
const Gate = HttpApi.make("gate").add(HttpApiGroup.make("gate").add(HttpApiEndpoint.post("enter", "/gate")))

const handlers = ApiHandlers.layer(Gate).pipe(
  Layer.provide(
    ApiHandlers.group(Gate, "gate", (group) =>
      group.handleRaw("enter", () =>
        Effect.flatMap(proved, ({ user }) => SignIn.completeBearer(user, { by: "a badge" }))
      )
    )
  )
)

const app = Pipeline.app([...Pipeline.pages([...routes, ...AuthRoutes.routes]), ...Pipeline.api(Gate)])

const ran: Array<string> = []

const refusals = {
  suspended: new Forbidden({ reason: "Suspended." }),
  incomplete: FormState.invalid(Schema.Struct({ badge: Schema.String }), {
    error: "Not yet.",
    fieldErrors: { badge: "Show the other side." }
  })
}

const inTransaction = ({ email, id }: Identity) =>
  Effect.gen(function* () {
    if (email.startsWith("suspended")) return yield* refusals.suspended
    if (email.startsWith("incomplete")) return yield* refusals.incomplete
    // Somebody revokes the account after it was proved.
    if (email.startsWith("revoked")) yield* Effect.flatMap(Sessions, ({ revoke }) => revoke(id))
    ran.push(email)
  })

const hooks = SqlAccountHooks.layer({ signIn: { inTransaction } })

const csrfOf = (client: TestClient) =>
  Effect.map(client.json("GET", "/csrf"), ({ json }) => ({
    "x-csrf-token": (json as { readonly token: string }).token
  }))

const signedIn = (user: TestApp.TestUser) =>
  Effect.flatMap(SecurityEvents, ({ list }) =>
    Effect.map(list(user.id, { events: ["SignedIn"] }), ({ items }) => items)
  )

describeDatabases("A program's own way in", (database) => {
  const services = Layer.provideMerge(handlers, hooks)
  layer(TestApp.layerOf(app, { environment: "production", database: database.layer, services }))((it) => {
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

    it.effect.each(["/badge/bearer", "/gate"])(
      "refuses a client without cookies in the envelope of the API, at %s",
      (path) =>
        Effect.gen(function* () {
          const client = yield* TestApp.guest
          const refused = Effect.fnUntraced(function* (email: string, accept = "application/json") {
            const headers = { accept, ...(yield* csrfOf(client)) }
            const {
              headers: given,
              json,
              status
            } = yield* client.request(path, { method: "POST", json: { email }, headers })
            return { status, json, type: given.get("content-type") }
          })
          const { email } = yield* TestApp.enrolledUser({ email: `suspended${path.length}@example.com` })
          const forbidden = { error: "Suspended.", _tag: "Forbidden", reason: "Suspended." }
          expect(yield* refused(email)).toEqual({ status: 403, type: "application/json", json: forbidden })
          const problem = yield* refused(email, "application/problem+json")
          expect(problem).toMatchObject({ status: 403, type: "application/problem+json" })
          expect(problem.json).toMatchObject({ status: 403, detail: "Suspended.", _tag: "Forbidden" })
          const other = yield* TestApp.enrolledUser({ email: `incomplete${path.length}@example.com` })
          const invalid = { error: "Not yet.", _tag: "InvalidInput", fields: { badge: "Show the other side." } }
          expect(yield* refused(other.email)).toMatchObject({ status: 422, json: invalid })
          const locked = yield* TestApp.enrolledUser()
          yield* FactorApp.enrol(locked)
          yield* Effect.flatMap(Factors, ({ countWrongCode }) => Effect.replicateEffect(countWrongCode(locked.id), 100))
          const credentials = { error: "Invalid credentials.", _tag: "InvalidCredentials" }
          expect(yield* refused(locked.email)).toMatchObject({ status: 401, json: credentials })
          const revoked = yield* TestApp.enrolledUser({ email: `revoked${path.length}@example.com` })
          expect(yield* refused(revoked.email)).toMatchObject({ status: 401, json: credentials })
        })
    )
  })
})
