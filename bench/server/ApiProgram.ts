// One endpoint of an `HttpApi`, on this server or, with `SERVER=effect`, on Effect's own; with `BUILDER=effect` its handlers are
// built by Effect on this server too, and with `ACCESS_LOG` each logs its requests. On this server also the accounts.
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup, HttpMiddleware, HttpServer } from "@effect/platform"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Console, Effect, Layer, Schema } from "effect"
import { createServer } from "node:http"
import * as Settings from "../../demo/Settings.ts"
import { run } from "../../layers/errors/RunMain.ts"
import * as AccessLog from "../../layers/observability/AccessLog.ts"
import * as AppLayer from "../../layers/server/AppLayer.ts"
import * as Storage from "../../layers/server/internal/Storage.ts"
import * as AccountsApi from "../../routes/auth/AccountsApi.ts"
import * as ApiAuthentication from "../../routes/auth/ApiAuthentication.ts"
import * as CsrfGuard from "../../routes/session/internal/CsrfGuard.ts"
import * as ScopeAuthentication from "../../routes/auth/ScopeAuthentication.ts"
import * as ApiHandlers from "../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../routes/server/Pipeline.ts"
import * as ApiScopes from "../../src/auth/ApiScopes.ts"
import { CurrentIdentity } from "../../src/session/Identity.ts"
import * as DefaultLayout from "../../src/http/DefaultLayout.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"

const group = HttpApiGroup.make("hello").add(
  HttpApiEndpoint.get("hello", "/hello").addSuccess(Schema.Struct({ hello: Schema.String }))
)

const Hello = HttpApi.make("hello").add(group).prefix("/api")

const isTheirs = process.env["SERVER"] === "effect"

const builder = isTheirs || process.env["BUILDER"] === "effect" ? HttpApiBuilder : ApiHandlers

const handlers = builder.group(Hello, "hello", (all) => all.handle("hello", () => Effect.succeed({ hello: "world" })))

const Scopes = ApiScopes.make({ "mine:read": "Read what is mine" })

const mine = HttpApiGroup.make("mine").add(
  HttpApiEndpoint.get("mine", "/mine")
    .addSuccess(Schema.Struct({ email: Schema.String }))
    .middleware(ScopeAuthentication.requires(Scopes, "mine:read"))
)

const Accounts = HttpApi.make("accounts").add(AccountsApi.group).add(mine).prefix("/api")

const mineHandlers = ApiHandlers.group(Accounts, "mine", (all) =>
  all.handle("mine", () => Effect.map(CurrentIdentity, ({ email }) => ({ email })))
)

const app = Pipeline.app([...Pipeline.api(Hello), ...Pipeline.api(Accounts), ...Pipeline.pages(CsrfGuard.tokenRoutes)])

const accounts = ApiHandlers.layer(Accounts).pipe(
  Layer.provide(Layer.merge(AccountsApi.layer(Accounts), mineHandlers)),
  Layer.provide(Layer.merge(ApiAuthentication.layer, ScopeAuthentication.layer(Scopes))),
  Layer.provideMerge(Scopes.layer)
)

const isLogged = process.env["ACCESS_LOG"] !== undefined

const say = (url: string) => Console.log(`listening on ${url}`)

const ours = Effect.gen(function* () {
  const settings = yield* Settings.config
  yield* Storage.prepare(settings.server.storage)
  const ready = Layer.effectDiscard(Effect.flatMap(ServerAddress, ({ url }) => say(url)))
  const served = AppLayer.server(app, settings).pipe(
    Layer.provide(Layer.merge(Layer.provide(ApiHandlers.layer(Hello), handlers), accounts)),
    Layer.provide(DefaultLayout.layer({ name: "bench" }))
  )
  const log = isLogged ? AccessLog.layer : Layer.empty
  return yield* Layer.launch(Layer.provide(Layer.merge(log, Layer.provide(ready, served)), AppLayer.layer(settings)))
})

const theirs = Layer.launch(
  Layer.effectDiscard(
    HttpServer.addressWith((address) => say(`http://127.0.0.1:${address._tag === "TcpAddress" ? address.port : 0}`))
  ).pipe(
    Layer.provideMerge(HttpApiBuilder.serve(isLogged ? HttpMiddleware.logger : undefined)),
    Layer.provide(HttpApiBuilder.api(Hello)),
    Layer.provide(handlers),
    Layer.provide(NodeHttpServer.layer(() => createServer(), { host: "127.0.0.1", port: 0 }))
  )
)

if (isTheirs) run(theirs)
else run(ours)
