// Serves as a single process, or as a supervisor of several workers.
import { Cause, Console, Deferred, Duration, Effect, FiberSet, Layer, Match, Schema, type Scope } from "effect"
import cluster from "node:cluster"
import * as CounterReporter from "../layers/observability/CounterReporter.ts"
import * as FileSources from "../layers/errors/FileSources.ts"
import * as WorkerChannel from "../layers/http/internal/WorkerChannel.ts"
import * as LogReporter from "../layers/errors/LogReporter.ts"
import * as WorkerRecords from "../layers/errors/WorkerRecords.ts"
import * as WorkerReporters from "../layers/errors/WorkerReporters.ts"
import * as ExportedExceptions from "../layers/observability/internal/ExportedExceptions.ts"
import * as FileFleet from "../layers/observability/FileFleet.ts"
import * as MetricsPush from "../layers/observability/internal/MetricsPush.ts"
import * as OtlpTelemetry from "../layers/observability/OtlpTelemetry.ts"
import * as WorkerObservability from "../layers/observability/WorkerObservability.ts"
import type { AppConfig } from "../layers/server/AppConfig.ts"
import * as RunMark from "../layers/server/internal/RunMark.ts"
import * as Storage from "../layers/server/internal/Storage.ts"
import * as Control from "./Control.ts"
import * as Diagnostics from "./Diagnostics.ts"
import * as Workers from "../layers/server/internal/Workers.ts"
import type * as DatabaseUrl from "../src/database/DatabaseUrl.ts"
import * as Environment from "../src/config/Environment.ts"
import type { Fatal } from "../src/errors/Fatal.ts"
import { Reporters } from "../src/errors/Reporters.ts"
import { Fleet } from "../src/observability/Fleet.ts"
import type { InvalidInstrument } from "../src/observability/Instrument.ts"
import { ServerAddress } from "../src/server/ServerAddress.ts"
import type { StartupError } from "../src/config/StartupError.ts"
import type { Options, Program } from "./Program.ts"
import { appUrlOn } from "../src/session/internal/RequestOrigin.ts"
import * as Delivery from "../src/mail/internal/Delivery.ts"
import { defaultAddress } from "../src/mail/internal/SmtpDefaults.ts"

// Ten seconds for requests in flight, five for the work after their responses, five for jobs, five for the last spans and
// log records, two for the rest.
const grace = Duration.seconds(27)

/** Serves until it is stopped. */
export const serve = <E, E2, E3>(
  settings: AppConfig,
  { app: load, database }: Options<E, E2, E3>
): Effect.Effect<never, E | InvalidInstrument | StartupError> => {
  const { host, storage, workers } = settings.server
  const engine = database === undefined ? engineName(settings.database) : "own database"
  if (cluster.isWorker || workers === 1) return serveHere(settings, engine, load)
  const control = (supervisor: Workers.Supervisor) =>
    Effect.gen(function* () {
      const diagnose = (yield* Diagnostics.make).of(supervisor)
      if (settings.environment === "development") {
        const { relay } = yield* Effect.promise(() => import("../layers/devtools/internal/SharedRequests.ts"))
        yield* relay(supervisor.serving)
      }
      yield* Control.serve(Storage.control(storage), (request) =>
        request.kind === "reload"
          ? Effect.map(supervisor.reload, (count) => `restarted ${count} workers`)
          : diagnose(request)
      )
    })
  return Workers.supervise<Fleet | Reporters | Scope.Scope>({
    count: workers,
    grace: Duration.sum(grace, Duration.seconds(settings.server.shutdownDelay)),
    ready: (port, supervisor) =>
      Effect.gen(function* () {
        yield* control(supervisor)
        const paths = isWatched(settings) ? yield* pathsOf(supervisor) : []
        yield* announce(settings, engine, { url: `http://${host}:${port}`, paths })
      }),
    crashed: reportCrash
  }).pipe(Effect.scoped, Effect.provide(supervisor(settings)))
}

const pathsName = "effect-framework/server/Paths"

const asPaths = Schema.decodeUnknown(Schema.Array(Schema.String))

// The supervisor loads no page: a worker knows its paths. A start does not depend on the answer.
const pathsOf = ({ serving }: Workers.Supervisor): Effect.Effect<ReadonlyArray<string>> =>
  Effect.suspend(() => {
    const [worker] = serving()
    return worker === undefined
      ? Effect.succeed([])
      : WorkerChannel.call(WorkerChannel.toWorker(worker), pathsName, undefined, "5 seconds").pipe(
          Effect.flatMap(asPaths),
          Effect.orElseSucceed(() => [])
        )
  })

// Responds from the start on: a call that came before would be lost.
const withPaths = <E>(serving: Layer.Layer<ServerAddress, E>): Layer.Layer<never, E> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      const known = yield* Deferred.make<ReadonlyArray<string>>()
      yield* WorkerChannel.handle(pathsName, () => Deferred.await(known))
      const tell = Effect.flatMap(ServerAddress, ({ paths }) => Deferred.succeed(known, paths))
      return Layer.provide(Layer.effectDiscard(tell), serving)
    })
  )

const reportCrash = (crash: Fatal) =>
  Effect.gen(function* () {
    yield* Effect.logError(crash.message)
    yield* Effect.flatMap(Reporters, ({ notify }) => notify(Cause.fail(crash)))
    // The worker's counters are kept, and the next scrape includes the crash.
    yield* Effect.flatMap(Fleet, ({ dump, retire }) => Effect.zipRight(retire(crash.pid), dump))
  })

// The supervisor reports a crash as a worker reports an exception, and counts it in the fleet's metrics.
const supervisor = ({ environment, metricsExporter, server, telemetry }: AppConfig) => {
  const version = metricsExporter.attributes?.["service.version"]
  return Layer.mergeAll(
    RunMark.layer(Storage.runs(server.storage)),
    ExportedExceptions.layer,
    MetricsPush.layer(telemetry)
  ).pipe(
    Layer.provideMerge(FileFleet.layer({ directory: Storage.metrics(server.storage) })),
    Layer.provideMerge(
      Layer.merge(LogReporter.layer({ path: Storage.exceptions(server.storage) }), CounterReporter.layer)
    ),
    Layer.provideMerge(WorkerRecords.layerWith({ version })),
    Layer.provideMerge(
      Layer.mergeAll(WorkerReporters.layer, WorkerObservability.layerWith({ collectors: false }), FileSources.layer)
    ),
    Layer.provide(Environment.layerWith(environment)),
    Layer.provide(OtlpTelemetry.layer(telemetry))
  )
}

const serveHere = <E>(settings: AppConfig, engine: string, load: () => Promise<Program<E>>) =>
  Effect.gen(function* () {
    const app = yield* Effect.promise(load)
    const ready = Layer.effectDiscard(Effect.flatMap(ServerAddress, (address) => announce(settings, engine, address)))
    const serving = app.layer(settings)
    if (cluster.isWorker) {
      return yield* Layer.launch(
        Layer.provideMerge(withPaths(serving), Diagnostics.layer(Storage.profiles(settings.server.storage)))
      )
    }
    return yield* Layer.launch(ready.pipe(Layer.provideMerge(alone(settings)), Layer.provide(serving)))
  })

const single = "This program has one process: with WORKERS=2 or more it can be reloaded without an interruption."

// The only process of a program takes the same commands, and does not end by the signal that reloads others.
const alone = ({ server: { storage } }: AppConfig) =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const { here } = yield* Diagnostics.make
      const diagnose = here(Storage.profiles(storage))
      yield* Control.serve(Storage.control(storage), (request) =>
        request.kind === "reload" ? Effect.fail({ message: single }) : diagnose(request)
      )
      const warn = yield* FiberSet.makeRuntime<never>()
      yield* Workers.onHangup(() => void warn(Effect.logWarning(single)))
    })
  )

const engineName = Match.typeTags<DatabaseUrl.DatabaseUrl>()({
  Sqlite: ({ path }) => `SQLite ${path}`,
  Postgres: () => "PostgreSQL"
})

const transports = { File: "mail to files", Smtp: "mail by SMTP", Queue: "mail by queue" }

/** One line for each setting that production leaves at such a default; none in other environments. */
export const warnings = ({
  auth,
  environment,
  mail,
  server
}: Pick<AppConfig, "auth" | "environment" | "mail" | "server">): ReadonlyArray<string> => {
  if (environment !== "production") return []
  const { address } = mail.sender
  const delivery = Delivery.of(mail.transport)
  return [
    delivery._tag === "File" && `MAIL_HOST is not set: e-mails are not sent but written to ${delivery.folder}`,
    delivery._tag !== "File" &&
      address === defaultAddress &&
      `MAIL_FROM is ${address}: mail servers refuse e-mails from there, or take them for spam`,
    auth.appUrl === appUrlOn(server.port) &&
      `APP_URL is ${auth.appUrl}: the links in e-mails lead to the reader's own machine`
  ].filter((line) => line !== false)
}

const loopback = new Set(["127.0.0.1", "[::1]", "0.0.0.0", "[::]"])

/**
 * The address to open in a browser. Cookies and passkeys belong to one name, and providers lead back to `APP_URL`: where this is
 * the program under another name of the machine, it is the one to begin with.
 */
export const opened = (appUrl: string, url: string): string => {
  const [named, listening] = [new URL(appUrl), new URL(url)]
  const isSame = named.protocol === listening.protocol && named.port === listening.port
  const isLocal = named.hostname === "localhost" || named.hostname.endsWith(".localhost")
  return isSame && isLocal && loopback.has(listening.hostname) ? named.origin : url
}

type Watched = Pick<AppConfig, "environment" | "mail">

const mailbox = ({ environment, mail }: Watched, url: string): string => {
  const delivery = Delivery.of(mail.transport)
  if (delivery._tag !== "File") return `sent by ${delivery.server.host}`
  return environment === "development" ? `${url}/_debug/mail` : `files in ${delivery.folder}`
}

/** Where to look in a program that has just started, one line each; an API only where its page is one of the paths. */
export const places = (settings: Watched, url: string, paths: ReadonlyArray<string>): ReadonlyArray<string> => [
  `  pages    ${url}/`,
  `  e-mails  ${mailbox(settings, url)}`,
  `  panel    ${settings.environment === "development" ? `${url}/_debug` : "with FRAMEWORK_ENVIRONMENT=development"}`,
  ...(paths.includes("/api/docs") ? [`  API      ${url}/api/docs`] : []),
  `  metrics  ${url}/metrics, ${url}/health`
]

// A person who starts it sees where to look; a log has the first line alone.
const isWatched = ({ environment }: Pick<AppConfig, "environment">): boolean =>
  environment === "development" || process.stdout.isTTY

const announce = (
  settings: AppConfig,
  engine: string,
  { paths, url }: Pick<ServerAddress["Type"], "paths" | "url">
) => {
  const { auth, environment, mail, server } = settings
  const workers = server.workers === 1 ? "1 worker" : `${server.workers} workers`
  const line = `listening on ${url} (${environment}, ${engine}, ${workers}, ${transports[mail.transport._tag]})`
  return Effect.zipRight(
    Effect.forEach(warnings(settings), (warning) => Effect.logWarning(warning), { discard: true }),
    Console.log([line, ...(isWatched(settings) ? places(settings, opened(auth.appUrl, url), paths) : [])].join("\n"))
  )
}
