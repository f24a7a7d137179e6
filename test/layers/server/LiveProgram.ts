// A small program with accounts and guarded WebSockets. Each socket says which process holds it, and then what it is told.
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema, HttpLayerRouter } from "@effect/platform"
import { Effect, Layer } from "effect"
import * as App from "../../../app/App.ts"
import * as AppLayer from "../../../layers/server/AppLayer.ts"
import type { AppConfig } from "../../../layers/server/AppConfig.ts"
import * as Access from "../../../routes/auth/Access.ts"
import * as AccountsApi from "../../../routes/auth/AccountsApi.ts"
import * as ApiAuthentication from "../../../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ScopeAuthentication from "../../../routes/auth/ScopeAuthentication.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as WebSockets from "../../../routes/session/WebSockets.ts"
import * as ApiScopes from "../../../src/auth/ApiScopes.ts"
import * as DefaultLayout from "../../../src/http/DefaultLayout.ts"

const echo = WebSockets.response((socket) =>
  Effect.gen(function* () {
    const write = yield* socket.writer
    yield* socket.runRaw((message) => write(message), { onOpen: Effect.ignore(write(String(process.pid))) })
  })
)

// Long enough for a busy machine to answer a ping, short enough to wait for.
const options = { heartbeat: "3 seconds" } as const

const scopes = ApiScopes.make({ "live:read": "Watch what happens" })

const group = HttpApiGroup.make("live").add(
  HttpApiEndpoint.get("live", "/live")
    .addSuccess(HttpApiSchema.Empty(101))
    .annotate(WebSockets.Endpoint, options)
    .middleware(ScopeAuthentication.requires(scopes, "live:read"))
)

const LiveApi = HttpApi.make("live").add(AccountsApi.group).add(group).prefix("/api")

const handlers = ApiHandlers.group(LiveApi, "live", (all) => all.handleRaw("live", () => echo))

const api = ApiHandlers.layer(LiveApi).pipe(
  Layer.provide(Layer.merge(AccountsApi.layer(LiveApi), handlers)),
  Layer.provide(Layer.merge(ApiAuthentication.layer, ScopeAuthentication.layer(scopes)))
)

const live = WebSockets.route(options)(HttpLayerRouter.route("GET", "/live", Access.requireUser(echo)))

const app = Pipeline.app([...Pipeline.pages([...AuthRoutes.routes, live]), ...Pipeline.api(LiveApi)])

const layer = (settings: AppConfig) =>
  AppLayer.server(app, settings).pipe(
    Layer.provide(Layer.mergeAll(api, scopes.layer, DefaultLayout.layer({ name: "live" }))),
    Layer.provide(AppLayer.layer(settings))
  )

App.run({ name: "live", app: () => Promise.resolve({ layer }) })
