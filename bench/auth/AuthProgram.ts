// Authentication on the edge, as a program would assemble it: sign-in, the form token, and who is signed in.
import { HttpLayerRouter } from "@effect/platform"
import { Console, Effect, Layer, Redacted } from "effect"
import { run } from "../../layers/errors/RunMain.ts"
import * as SqlAuthentication from "../../layers/auth/SqlAuthentication.ts"
import * as Database from "../../layers/database/Database.ts"
import * as Migrations from "../../layers/database/Migrations.ts"
import * as FileSources from "../../layers/errors/FileSources.ts"
import * as WorkerReporters from "../../layers/errors/WorkerReporters.ts"
import * as BoundedAfterResponse from "../../layers/errors/BoundedAfterResponse.ts"
import * as TrustedProxies from "../../layers/session/TrustedProxies.ts"
import * as ConfiguredMailer from "../../layers/mail/ConfiguredMailer.ts"
import * as WebServer from "../../layers/server/WebServer.ts"
import * as Sockets from "../../layers/server/Sockets.ts"
import { Authentication, SessionGuard, toSignIn } from "../../routes/auth/Authentication.ts"
import * as CsrfGuard from "../../routes/session/internal/CsrfGuard.ts"
import * as SignInPage from "../../routes/auth/signin/SignInPage.ts"
import * as Pipeline from "../../routes/server/Pipeline.ts"
import * as Respond from "../../routes/session/Respond.ts"
import { CurrentIdentity } from "../../src/session/Identity.ts"
import * as AuthConfig from "../../src/auth/AuthConfig.ts"
import { Users } from "../../src/auth/Users.ts"
import * as Environment from "../../src/config/Environment.ts"
import * as ErrorPages from "../../src/errors/ErrorPages.ts"
import * as DefaultLayout from "../../src/http/DefaultLayout.ts"
import * as RequestEvents from "../../src/observability/RequestEvents.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"

const guarded = Authentication([SessionGuard], toSignIn("/login"))

const session = HttpLayerRouter.route(
  "GET",
  "/session",
  guarded(Effect.map(CurrentIdentity, (identity) => Respond.json({ user: identity })))
)

const app = Pipeline.app(Pipeline.pages([session, ...SignInPage.routes, ...CsrfGuard.tokenRoutes]))

const account = Layer.effectDiscard(
  Effect.flatMap(Users, (users) => users.enroll("demo@example.com", Redacted.make("correct-horse-battery")))
)

const services = account.pipe(
  Layer.provideMerge(Layer.merge(SqlAuthentication.layer, BoundedAfterResponse.layer())),
  Layer.provideMerge(ConfiguredMailer.layer),
  Layer.provideMerge(AuthConfig.layer),
  Layer.provideMerge(Layer.provideMerge(Migrations.layer, Database.layerConfig)),
  Layer.provideMerge(
    Layer.mergeAll(
      DefaultLayout.layer({ name: "Bench" }),
      TrustedProxies.layer,
      RequestEvents.layer,
      Sockets.layer,
      WorkerReporters.layer,
      FileSources.layer,
      ErrorPages.layerNone,
      Environment.layerWith("production")
    )
  )
)

const ready = Layer.effectDiscard(Effect.flatMap(ServerAddress, ({ url }) => Console.log(`listening on ${url}`)))

run(
  Layer.launch(Layer.provide(ready, WebServer.layer(app, { host: "127.0.0.1", port: 0 })).pipe(Layer.provide(services)))
)
