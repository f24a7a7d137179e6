// The usual layers of a program in one: database, accounts, mail, error handling and metrics.
import type { SqlClient } from "@effect/sql"
import { Duration, Effect, Layer } from "effect"
import cluster from "node:cluster"
import * as Auth from "../../src/auth/AuthConfig.ts"
import type { DatabaseUnavailable } from "../../src/database/internal/DatabaseUnavailable.ts"
import * as Environment from "../../src/config/Environment.ts"
import * as ErrorPages from "../../src/errors/ErrorPages.ts"
import { Reporters } from "../../src/errors/Reporters.ts"
import { Fleet } from "../../src/observability/Fleet.ts"
import type { Mailer } from "../../src/mail/Mailer.ts"
import * as HealthChecks from "../../src/observability/HealthChecks.ts"
import * as RequestEvents from "../../src/observability/RequestEvents.ts"
import * as Argon2Password from "../auth/Argon2Password.ts"
import * as ConfiguredProviders from "../auth/internal/providers/ConfiguredProviders.ts"
import * as SqlAuthentication from "../auth/SqlAuthentication.ts"
import * as Sweeper from "../auth/internal/Sweeper.ts"
import * as Database from "../database/Database.ts"
import * as Migrations from "../database/Migrations.ts"
import * as Tables from "../database/Tables.ts"
import * as CounterReporter from "../observability/CounterReporter.ts"
import * as FileSources from "../errors/FileSources.ts"
import * as FileErrorPages from "../errors/FileErrorPages.ts"
import * as LogReporter from "../errors/LogReporter.ts"
import * as RunMain from "../errors/RunMain.ts"
import * as WorkerRecords from "../errors/WorkerRecords.ts"
import * as WorkerReporters from "../errors/WorkerReporters.ts"
import * as BoundedAfterResponse from "../errors/BoundedAfterResponse.ts"
import * as TrustedProxies from "../session/TrustedProxies.ts"
import * as TemporaryUploads from "../session/TemporaryUploads.ts"
import * as ConfiguredMailer from "../mail/ConfiguredMailer.ts"
import * as JobWorker from "../jobs/JobWorker.ts"
import * as SqlJobs from "../jobs/SqlJobs.ts"
import * as ExportedExceptions from "../observability/internal/ExportedExceptions.ts"
import * as FileFleet from "../observability/FileFleet.ts"
import * as MetricsPush from "../observability/internal/MetricsPush.ts"
import * as NodeProcessInfo from "../observability/NodeProcessInfo.ts"
import * as OtlpTelemetry from "../observability/OtlpTelemetry.ts"
import * as SocketCounters from "../observability/internal/SocketCounters.ts"
import * as SqlReadiness from "../database/SqlReadiness.ts"
import * as WorkerObservability from "../observability/WorkerObservability.ts"
import type { HttpApp } from "./internal/HttpApp.ts"
import * as WebServer from "./WebServer.ts"
import type { AppConfig } from "./AppConfig.ts"
import * as RunMark from "./internal/RunMark.ts"
import * as Sockets from "./Sockets.ts"
import * as Storage from "./internal/Storage.ts"

export type { App } from "../../src/server/internal/App.ts"
export type { SocketTotals } from "../observability/internal/SocketCounters.ts"

/** What a program adds to the usual layers. */
export interface Additions {
  /** The migrations of the program's own tables. */
  readonly migrations?: Migrations.Migrations
  /** The framework's tables, when they have a schema or a prefix, or the accounts are in a table of the program's own. */
  readonly tables?: Tables.Tables
  /** The folder of the program's own error pages. */
  readonly views?: string
}

/** What a program replaces of the framework's services. */
export interface Options<E, R> extends Additions {
  /**
   * The program's own client, `PgClient.layer(…)` or `SqliteClient.layer(…)`, in place of the one that `DATABASE_URL`
   * names. Layers are memoized: where the program uses the same value, it shares the pool.
   */
  readonly database?: Layer.Layer<SqlClient.SqlClient, E, R>
  /** In place of the transport that the settings name. */
  readonly mailer?: Layer.Layer<Mailer, E, R | SqlClient.SqlClient>
}

const views = (folder: string | undefined): Layer.Layer<ErrorPages.ErrorPages, never, Environment.Environment> =>
  folder === undefined ? ErrorPages.layerNone : FileErrorPages.layer(folder)

// A process that exits after an uncaught error closes no layer: its count of the error is written when it is reported.
const dumpBeforeExit = Layer.scopedDiscard(
  Effect.flatMap(Effect.all([Reporters, Fleet]), ([reporters, { dump }]) => reporters.add(() => undefined, dump))
)

const errors = (storage: string, version: string | undefined, pages: string | undefined) =>
  Layer.mergeAll(
    Layer.unwrapEffect(Effect.map(Environment.Environment, (name) => RunMain.layer({ json: name !== "development" }))),
    ExportedExceptions.layer,
    dumpBeforeExit,
    // The supervisor reports the exit of a worker.
    cluster.isWorker ? Layer.empty : RunMark.layer(Storage.runs(storage))
  ).pipe(
    Layer.provideMerge(Layer.merge(LogReporter.layer({ path: Storage.exceptions(storage) }), CounterReporter.layer)),
    Layer.provideMerge(WorkerRecords.layerWith({ version })),
    Layer.provideMerge(Layer.mergeAll(WorkerReporters.layer, FileSources.layer, views(pages)))
  )

// The supervisor sends the metrics of all its workers.
const metrics = ({ telemetry }: AppConfig) => (cluster.isWorker ? Layer.empty : MetricsPush.layer(telemetry))

const observability = (settings: AppConfig) =>
  Layer.mergeAll(SocketCounters.layer, NodeProcessInfo.layer, metrics(settings)).pipe(
    Layer.provideMerge(FileFleet.layer({ directory: Storage.metrics(settings.server.storage) })),
    Layer.provideMerge(WorkerObservability.layer),
    Layer.provideMerge(Layer.mergeAll(RequestEvents.layer, Sockets.layer, HealthChecks.layer))
  )

const data = <E, R>(
  { allowNewerSchema, auth, database: url, mail, providers, statementTimeout }: AppConfig,
  { database, mailer, migrations = {}, tables = Tables.defaults }: Options<E, R>
) => {
  const client: Layer.Layer<SqlClient.SqlClient, E | DatabaseUnavailable, R> =
    database ?? Database.layer(url, { statementTimeout })
  const transport: Layer.Layer<Mailer, E, R | SqlClient.SqlClient> =
    mailer ?? ConfiguredMailer.layerWith(mail, { tables })
  return Layer.mergeAll(
    Sweeper.layerJob,
    providers === undefined ? Layer.empty : ConfiguredProviders.layerWith(providers),
    SqlReadiness.layer
  ).pipe(
    Layer.provideMerge(SqlAuthentication.layerWithoutSweeper({ tables })),
    Layer.provideMerge(Layer.merge(SqlJobs.layerWith({ tables }), Argon2Password.layer)),
    Layer.provideMerge(transport),
    Layer.provideMerge(Auth.layerWith(auth)),
    Layer.provide(Migrations.layerWith(migrations, { allowNewer: allowNewerSchema, tables })),
    Layer.provideMerge(client)
  )
}

// The decoy hash takes a quarter of a second on another thread: started first, it is ready with the rest, which does not
// wait for it. Layers are memoized, so authentication uses this one.
const password = ({ auth }: AppConfig) => Layer.provide(Argon2Password.layer, Auth.layerWith(auth))

// Not even loaded in other environments.
const development = ({ environment, mail, server }: AppConfig): Layer.Layer<never> =>
  environment === "development"
    ? Layer.unwrapEffect(
        Effect.map(
          Effect.promise(() => import("../devtools/internal/DevelopmentRecorder.ts")),
          (DevelopmentRecorder) => DevelopmentRecorder.layerWith(mail, Storage.exceptions(server.storage))
        )
      )
    : Layer.empty

/** Creates the storage folder, migrates, and provides everything except a `Layout` and the program's own services. */
export const layer = <E = never, R = never>(settings: AppConfig, options: Options<E, R> = {}) => {
  const { environment, metricsExporter, server, trusted } = settings
  const requests = Layer.merge(
    TrustedProxies.layerWith(trusted),
    TemporaryUploads.layer(Storage.uploads(server.storage))
  )
  return Layer.merge(data(settings, options), requests).pipe(
    Layer.provideMerge(errors(server.storage, metricsExporter.attributes?.["service.version"], options.views)),
    Layer.provideMerge(observability(settings)),
    (rest) => Layer.merge(password(settings), rest),
    Layer.provideMerge(Environment.layerWith(environment)),
    Layer.provide(
      Layer.effectDiscard(
        Effect.zipRight(Storage.prepare(server.storage), Storage.protect(server.storage, settings.database))
      )
    ),
    Layer.provideMerge(development(settings)),
    // Below everything, so that it sees every span and log line, also those of the end.
    Layer.provide(OtlpTelemetry.layer(settings.telemetry))
  )
}

/**
 * Serves the app, and runs the jobs of the handlers among its services. Provide the app's services to this layer: then they
 * outlive the requests in flight.
 */
export const server = <R>(
  app: HttpApp<R>,
  { jobs: { concurrency }, server: { healthPath, host, port, recordProbes, shutdownDelay } }: AppConfig,
  queues: JobWorker.Options["queues"] = {}
) =>
  WebServer.layer(app, {
    host,
    port,
    probe: healthPath,
    recordProbes,
    shutdownDelay: Duration.seconds(shutdownDelay),
    idleGrace: cluster.isWorker ? "1 second" : Duration.zero
  }).pipe(
    // Work after a response ends before the services that it uses are released.
    Layer.provide(BoundedAfterResponse.layer()),
    Layer.provide(JobWorker.layer({ concurrency, drain: "5 seconds", queues, requestsFirst: true }))
  )
