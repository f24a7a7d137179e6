// The demo as one program: a single process, or a supervisor over several workers.
import { Cause, Console, Effect, Layer, Match } from "effect"
import cluster from "node:cluster"
import * as CounterReporter from "../layers/errors/CounterReporter.ts"
import * as DaemonReporter from "../layers/errors/DaemonReporter.ts"
import * as FileSources from "../layers/errors/FileSources.ts"
import * as LogReporter from "../layers/errors/LogReporter.ts"
import * as WorkerReporters from "../layers/errors/WorkerReporters.ts"
import * as FileFleet from "../layers/observability/FileFleet.ts"
import * as WorkerObservability from "../layers/observability/WorkerObservability.ts"
import * as RunMark from "../layers/server/RunMark.ts"
import * as Storage from "../layers/server/Storage.ts"
import * as Workers from "../layers/server/Workers.ts"
import type * as DatabaseUrl from "../src/database/DatabaseUrl.ts"
import * as Environment from "../src/errors/Environment.ts"
import type { Fatal } from "../src/errors/Fatal.ts"
import { Reporters } from "../src/errors/Reporters.ts"
import { Fleet } from "../src/observability/Fleet.ts"
import { ServerAddress } from "../src/server/ServerAddress.ts"
import type { Settings } from "./Settings.ts"

/** Serves until it is stopped. */
export const program = (settings: Settings) => {
  const { host, workers } = settings.server
  if (cluster.isWorker || workers === 1) return serve(settings)
  return Workers.supervise({
    count: workers,
    // Ten seconds for requests in flight, five for the work after their responses, two for the rest.
    grace: "17 seconds",
    ready: (port) => announce(settings, `http://${host}:${port}`),
    crashed: reportCrash
  }).pipe(Effect.provide(supervisor(settings)))
}

const reportCrash = (crash: Fatal) =>
  Effect.gen(function* () {
    yield* Effect.logError(crash.message)
    yield* Effect.flatMap(Reporters, ({ notify }) => notify(Cause.fail(crash)))
    // The worker's counters are kept, and the next scrape includes the crash.
    yield* Effect.flatMap(Fleet, ({ dump, retire }) => Effect.zipRight(retire(crash.pid), dump))
  })

// The supervisor reports a crash as a worker reports an exception, and counts it in the fleet's metrics.
const supervisor = ({ environment, server }: Settings) =>
  Layer.mergeAll(RunMark.layer(Storage.runs(server.storage)), DaemonReporter.layer).pipe(
    Layer.provideMerge(FileFleet.layer({ directory: Storage.metrics(server.storage) })),
    Layer.provideMerge(
      Layer.merge(LogReporter.layer({ path: Storage.exceptions(server.storage) }), CounterReporter.layer)
    ),
    Layer.provideMerge(
      Layer.mergeAll(WorkerReporters.layer, WorkerObservability.layerWith({ collectors: false }), FileSources.layer)
    ),
    Layer.provide(Environment.layerWith(environment))
  )

const serve = Effect.fnUntraced(function* (settings: Settings) {
  // A supervisor does not load what only its workers need.
  const app = yield* Effect.promise(() => import("./App.ts"))
  const ready = Layer.effectDiscard(Effect.flatMap(ServerAddress, ({ url }) => announce(settings, url)))
  const serving = app.layer(settings)
  return yield* Layer.launch(cluster.isWorker ? serving : Layer.provide(ready, serving))
})

const engineName = Match.typeTags<DatabaseUrl.DatabaseUrl>()({
  Sqlite: ({ path }) => `SQLite ${path}`,
  Postgres: () => "PostgreSQL"
})

const transports = { File: "mail to files", Smtp: "mail by SMTP", Queue: "mail by queue" }

const announce = ({ database, environment, mail, server }: Settings, url: string) => {
  const workers = server.workers === 1 ? "1 worker" : `${server.workers} workers`
  return Console.log(
    `listening on ${url} (${environment}, ${engineName(database)}, ${workers}, ${transports[mail.transport._tag]})`
  )
}
