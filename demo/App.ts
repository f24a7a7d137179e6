// Where layers meet routes: the routes of the demo, and everything they stand on.
import type { HttpLayerRouter } from "@effect/platform"
import { Layer } from "effect"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Argon2Password from "../layers/auth/Argon2Password.ts"
import * as SqlAuthentication from "../layers/auth/SqlAuthentication.ts"
import * as Database from "../layers/database/Database.ts"
import * as Migrations from "../layers/database/Migrations.ts"
import * as CounterReporter from "../layers/errors/CounterReporter.ts"
import * as FileSources from "../layers/errors/FileSources.ts"
import * as FileViews from "../layers/errors/FileViews.ts"
import * as LogReporter from "../layers/errors/LogReporter.ts"
import * as UncaughtExit from "../layers/errors/UncaughtExit.ts"
import * as WorkerReporters from "../layers/errors/WorkerReporters.ts"
import * as LiveAfterwards from "../layers/http/LiveAfterwards.ts"
import * as LiveExchanges from "../layers/http/LiveExchanges.ts"
import * as LaneMailer from "../layers/mail/LaneMailer.ts"
import * as AccessLog from "../layers/observability/AccessLog.ts"
import * as FileFleet from "../layers/observability/FileFleet.ts"
import * as ProcessVitals from "../layers/observability/ProcessVitals.ts"
import * as SocketCounters from "../layers/observability/SocketCounters.ts"
import * as SqlReadiness from "../layers/observability/SqlReadiness.ts"
import * as WorkerObservability from "../layers/observability/WorkerObservability.ts"
import * as SignedCursors from "../layers/pagination/SignedCursors.ts"
import * as HttpServer from "../layers/server/HttpServer.ts"
import * as Sockets from "../layers/server/Sockets.ts"
import * as AuthRoutes from "../routes/auth/AuthRoutes.ts"
import * as Screen from "../routes/auth/Screen.ts"
import * as Boom from "../routes/errors/Boom.ts"
import * as Assets from "../routes/http/Assets.ts"
import * as Pipeline from "../routes/http/Pipeline.ts"
import * as Health from "../routes/observability/Health.ts"
import * as Metrics from "../routes/observability/Metrics.ts"
import * as Readyz from "../routes/observability/Readyz.ts"
import * as Telemetry from "../routes/observability/Telemetry.ts"
import * as AuthSettings from "../src/auth/Settings.ts"
import * as Environment from "../src/errors/Environment.ts"
import { html } from "../src/http/Html.ts"
import * as PlainLayout from "../src/http/PlainLayout.ts"
import * as RequestEvents from "../src/observability/RequestEvents.ts"
import * as Account from "./Account.ts"
import * as Articles from "./articles/Articles.ts"
import * as ArticlesMigration from "./articles/Migration.ts"
import * as ArticlesRoutes from "./articles/Routes.ts"
import * as ArticlesSeed from "./articles/Seed.ts"
import * as Home from "./Home.ts"
import * as Dashboard from "./observability/Dashboard.ts"
import * as History from "./observability/History.ts"
import * as Logins from "./observability/Logins.ts"
import type { Settings } from "./Settings.ts"

const pages = [
  ...Home.routes,
  ...AuthRoutes.routes,
  ...ArticlesRoutes.make(Screen.viewer),
  ...Dashboard.routes,
  ...Boom.routes
]

const machines = [...Health.routes, ...Metrics.routes, ...Readyz.routes, ...Assets.routes(PlainLayout.assets)]

const layout = PlainLayout.layer({
  name: "Effect Framework",
  links: [
    { href: "/articles", text: "Articles" },
    { href: "/metrics/dashboard", text: "Metrics" }
  ],
  footer: html`A demo of <code>effect-framework</code>: authentication, observability, error handling and pagination as
    Effect layers.`
})

const views = fileURLToPath(new URL("./views/errors", import.meta.url))

const errors = (storage: string) =>
  Layer.mergeAll(
    LogReporter.layer({ path: join(storage, "logs", "exceptions.log") }),
    CounterReporter.layer,
    UncaughtExit.layer()
  ).pipe(Layer.provideMerge(Layer.mergeAll(WorkerReporters.layer, FileSources.layer, FileViews.layer(views))))

const observability = (storage: string) =>
  Layer.mergeAll(
    Telemetry.layerBooted,
    AccessLog.layer,
    SocketCounters.layer,
    ProcessVitals.layer,
    Logins.layer,
    History.layer
  ).pipe(
    Layer.provideMerge(FileFleet.layer({ directory: join(storage, "metrics") })),
    Layer.provideMerge(WorkerObservability.layer),
    Layer.provideMerge(Layer.mergeAll(RequestEvents.layer, Sockets.layer))
  )

// Cursors are signed where `PAGINATION_KEYS` names a key.
const articles = Layer.provide(Articles.layer, SignedCursors.layerConfig)

const data = ({ auth, database, mail }: Settings) =>
  Layer.mergeAll(Account.layer, ArticlesSeed.layer).pipe(
    Layer.provideMerge(
      Layer.mergeAll(SqlAuthentication.layer, articles, SqlReadiness.layer, LaneMailer.layerWith(mail))
    ),
    Layer.provideMerge(AuthSettings.layerWith(auth)),
    Layer.provide(Migrations.layerWith(ArticlesMigration.migrations)),
    Layer.provideMerge(Database.layer(database))
  )

// Its decoy takes a quarter of a second of another thread: begun first, it is ready when the rest is. A layer is built
// once, so that this is the one which authentication takes.
const password = ({ auth }: Settings) => Layer.provide(Argon2Password.layer, AuthSettings.layerWith(auth))

/** Migrates, seeds and serves. The server stands on all the others, so that requests in flight keep what they use. */
export const layer = (settings: Settings, more: ReadonlyArray<HttpLayerRouter.Route> = []) => {
  const { environment, server, trusted } = settings
  const app = Pipeline.app([...Pipeline.pages([...pages, ...more]), ...Pipeline.plain(machines)])
  const standing = Layer.mergeAll(data(settings), layout, LiveExchanges.layerWith(trusted)).pipe(
    Layer.provideMerge(errors(server.storage)),
    Layer.provideMerge(observability(server.storage))
  )
  return HttpServer.layer(app, { host: server.host, port: server.port, probe: server.healthPath }).pipe(
    // Work that was left for after an answer ends before what it works on.
    Layer.provide(LiveAfterwards.layer),
    Layer.provide(Layer.merge(password(settings), standing)),
    Layer.provide(Environment.layerOf(environment))
  )
}
