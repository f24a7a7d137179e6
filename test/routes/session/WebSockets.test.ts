// WebSockets behind the guards, over real sockets: who may connect, from which page, and when it ends.
import { expect, layer } from "@effect/vitest"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, HttpLayerRouter } from "@effect/platform"
import { Effect, Layer, Redacted, TestClock } from "effect"
import * as Access from "../../../routes/auth/Access.ts"
import * as ApiAuthentication from "../../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ScopeAuthentication from "../../../routes/auth/ScopeAuthentication.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as WebSockets from "../../../routes/session/WebSockets.ts"
import * as ApiScopes from "../../../src/auth/ApiScopes.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { ticking } from "../../support/Eventually.ts"
import * as WebSocketClient from "../../support/WebSocketClient.ts"

/** Says who is there, and then what it is told. */
const echo = WebSockets.response((socket) =>
  Effect.gen(function* () {
    const { email } = yield* CurrentIdentity
    const write = yield* socket.writer
    yield* socket.runRaw((message) => write(`${email}: ${String(message)}`))
  })
)

const scopes = ApiScopes.make({ "live:read": "Watch what happens" })
const Upgraded = HttpApiSchema.Empty(101)

const guarded = HttpApiGroup.make("guarded")
  .add(HttpApiEndpoint.get("live", "/live").addSuccess(Upgraded).annotate(WebSockets.Endpoint, { perAccount: 2 }))
  .middleware(ApiAuthentication.ApiAuthentication)

const scoped = HttpApiGroup.make("scoped").add(
  HttpApiEndpoint.get("scoped", "/scoped")
    .addSuccess(Upgraded)
    .annotate(WebSockets.Endpoint, {})
    .middleware(ScopeAuthentication.requires(scopes, "live:read"))
)

const LiveApi = HttpApi.make("live").add(guarded).add(scoped).prefix("/api")

const handlers = Layer.merge(
  ApiHandlers.group(LiveApi, "guarded", (all) => all.handleRaw("live", () => echo)),
  ApiHandlers.group(LiveApi, "scoped", (all) => all.handleRaw("scoped", () => echo))
)

const live = HttpLayerRouter.route("GET", "/live", Access.requireUser(echo))

const app = Pipeline.app([
  ...Pipeline.pages([...AuthRoutes.routes, WebSockets.route({ origins: ["https://shop.example"] })(live)]),
  ...Pipeline.api(LiveApi)
])

const services = ApiHandlers.layer(LiveApi).pipe(
  Layer.provide(handlers),
  Layer.provide(Layer.merge(ApiAuthentication.layer, ScopeAuthentication.layer(scopes)))
)

const cookieOf = ({ address, jar }: Pick<TestApp.SignedInClient, "address" | "jar">) => ({
  cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
  "x-forwarded-for": address
})

const connect = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(ServerAddress, ({ url }) => WebSocketClient.open(`${url}${path}`, headers))

const own = Effect.map(ServerAddress, ({ url }) => ({ origin: url }))

const bearerOf = ({ headers }: TestApp.SignedInClient) => ({ authorization: headers.get("authorization") ?? "" })

/** Connects, and says something: the guards have let it through. */
const accepted = Effect.fnUntraced(function* (path: string, headers: Readonly<Record<string, string>>) {
  const client = yield* connect(path, headers)
  expect([path, client.status]).toEqual([path, 101])
  client.send("hello")
  expect(yield* client.next).toMatch(/: hello$/)
  return client
})

layer(TestApp.layerOf(app, { services }))("WebSockets", (it) => {
  it.scoped("refuse a guest with 401, and do not send it to the sign-in page", () =>
    Effect.gen(function* () {
      for (const path of ["/live", "/api/live", "/api/scoped"]) {
        const { headers, status } = yield* connect(path)
        expect([path, status, headers.location]).toEqual([path, 401, undefined])
        expect(headers["www-authenticate"]).toMatch(/./)
      }
    })
  )

  it.scoped("need 426 as an ordinary request, before any guard", () =>
    Effect.gen(function* () {
      const ann = yield* TestApp.signedInUser()
      for (const path of ["/live", "/api/live"]) {
        const { headers, status } = yield* ann.request(path)
        expect([status, headers.get("upgrade"), headers.get("sec-websocket-version")]).toEqual([426, "websocket", "13"])
      }
    })
  )

  it.scoped("take the cookies of a person from a page of their own, and of no other", () =>
    Effect.gen(function* () {
      const cookies = cookieOf(yield* TestApp.signedInUser())
      const origin = yield* own
      for (const path of ["/live", "/api/live"]) {
        yield* accepted(path, { ...cookies, ...origin })
        for (const foreign of ["https://evil.example", "null", `${origin.origin}.evil.example`, "https://a@b", ""]) {
          expect([foreign, (yield* connect(path, { ...cookies, origin: foreign })).status]).toEqual([foreign, 403])
        }
        expect((yield* connect(path, cookies)).status).toBe(403)
        expect((yield* connect(path, { ...cookies, authorization: "Basic YTpi" })).status).toBe(403)
        const crossSite = { ...cookies, ...origin, "sec-fetch-site": "cross-site" }
        expect((yield* connect(path, crossSite)).status).toBe(403)
      }
      yield* accepted("/live", { ...cookies, origin: "https://shop.example", "sec-fetch-site": "cross-site" })
      expect((yield* connect("/api/live", { ...cookies, origin: "https://shop.example" })).status).toBe(403)
    })
  )

  it.scoped("take a bearer without an origin, and never its cookies when it is bad", () =>
    Effect.gen(function* () {
      const [ann, bob] = [yield* TestApp.bearerUser(), yield* TestApp.signedInUser()]
      yield* accepted("/api/live", bearerOf(ann))
      const bad = { ...cookieOf(bob), authorization: "Bearer nothing" }
      expect((yield* connect("/api/live", bad)).status).toBe(401)
      // A page has no bearers: its cookies count, and need the origin.
      expect((yield* connect("/live", bad)).status).toBe(403)
    })
  )

  it.scoped("are as many for an account as the route says", () =>
    Effect.gen(function* () {
      const [ann, bob] = [yield* TestApp.bearerUser(), yield* TestApp.bearerUser()]
      yield* accepted("/api/live", bearerOf(ann))
      yield* accepted("/api/live", bearerOf(ann))
      expect((yield* connect("/api/live", bearerOf(ann))).status).toBe(429)
      yield* accepted("/api/live", bearerOf(bob))
    })
  )
})

describeDatabases("The WebSockets of a session", (database) => {
  layer(TestApp.layerOf(app, { services, database: database.layer }))((it) => {
    it.scoped("close with 1008 when it ends on any worker, and those of no other", () =>
      Effect.gen(function* () {
        const [ann, bob, cid] = [
          yield* TestApp.signedInUser(),
          yield* TestApp.bearerUser(),
          yield* TestApp.bearerUser()
        ]
        const origin = yield* own
        const page = yield* accepted("/live", { ...cookieOf(ann), ...origin })
        const bearer = yield* accepted("/api/live", bearerOf(bob))
        const other = yield* accepted("/api/live", bearerOf(cid))
        yield* ann.submit("/logout", {})
        yield* Effect.flatMap(Sessions, ({ revoke }) => revoke(bob.user.id))
        yield* TestClock.adjust("15 seconds")
        expect(yield* ticking(page.closed)).toEqual([1008, "The session has ended."])
        expect((yield* ticking(bearer.closed))[0]).toBe(1008)
        other.send("on")
        expect(yield* other.next).toMatch(/: on$/)
      })
    )

    it.scoped("close with 1008 when their API token is revoked, and need its scope", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const tokens = yield* ApiTokens
        const token = yield* tokens.create(user.id, { name: "live", scopes: ["live:read"], ttl: "30 days" })
        const none = yield* tokens.create(user.id, { name: "none", scopes: [], ttl: "30 days" })
        const of = ({ secret }: typeof token) => ({ authorization: `Bearer ${Redacted.value(secret)}` })
        expect((yield* connect("/api/scoped", of(none))).status).toBe(403)
        const client = yield* accepted("/api/scoped", of(token))
        yield* tokens.revoke(user.id, token.handle)
        yield* TestClock.adjust("15 seconds")
        expect((yield* ticking(client.closed))[0]).toBe(1008)
      })
    )

    it.scoped("give a remembered device its new cookies with the handshake", () =>
      Effect.gen(function* () {
        const { email, password } = yield* TestApp.enrolledUser()
        const ann = yield* TestApp.guest
        yield* ann.submit("/login", { email, password, remember: "1" })
        const origin = yield* own
        for (const name of ann.jar.keys()) if (!name.includes("remember")) ann.jar.delete(name)
        const client = yield* accepted("/live", { ...cookieOf(ann), ...origin })
        const set = client.headers["set-cookie"] ?? []
        expect(set).toHaveLength(2)
        for (const line of set) {
          const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          ann.jar.set(name, value)
        }
        expect((yield* ann.request("/account")).status).toBe(200)
      })
    )
  })
})
