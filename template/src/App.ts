// Where layers meet routes: what the program serves, and what it stands on.
import { Layer } from "effect"
import { AuthSettings, Environment, PlainLayout, RequestEvents, Views } from "effect-framework"
import {
  AccessLog,
  CounterReporter,
  Database,
  FileFleet,
  FileSources,
  HttpServer,
  LaneMailer,
  LiveAfterwards,
  LiveExchanges,
  LogReporter,
  Migrations,
  ProcessVitals,
  SocketCounters,
  Sockets,
  SqlAuthentication,
  SqlReadiness,
  UncaughtExit,
  WorkerObservability,
  WorkerReporters
} from "effect-framework/layers"
import { Assets, AuthRoutes, Health, Metrics, Pipeline, Readyz, Telemetry } from "effect-framework/routes"
import { join } from "node:path"
import * as Home from "./Home.ts"
import * as Notes from "./Notes.ts"
import type { Settings } from "./Settings.ts"

/** For people and their programs: with a session, every form behind the CSRF check. */
export const pages = [...Home.routes, ...AuthRoutes.routes, ...Notes.routes]

/** For machines: probes, metrics, files. */
export const machines = [...Health.routes, ...Readyz.routes, ...Metrics.routes, ...Assets.routes(PlainLayout.assets)]

/** The tables and services of this program. */
export const migrations = Notes.migrations
export const services = Notes.layer

const layout = PlainLayout.layer({ name: "my-app", links: [{ href: "/notes", text: "Notes" }] })

const errors = (storage: string) =>
  Layer.mergeAll(
    LogReporter.layer({ path: join(storage, "logs", "exceptions.log") }),
    CounterReporter.layer,
    UncaughtExit.layer()
  ).pipe(Layer.provideMerge(Layer.mergeAll(WorkerReporters.layer, FileSources.layer, Views.layerNone)))

const observability = (storage: string) =>
  Layer.mergeAll(Telemetry.layerBooted, AccessLog.layer, SocketCounters.layer, ProcessVitals.layer).pipe(
    Layer.provideMerge(FileFleet.layer({ directory: join(storage, "metrics") })),
    Layer.provideMerge(WorkerObservability.layer),
    Layer.provideMerge(Layer.mergeAll(RequestEvents.layer, Sockets.layer))
  )

const data = ({ auth, database, mail }: Settings) =>
  Layer.mergeAll(SqlAuthentication.layer, services, SqlReadiness.layer, LaneMailer.layerWith(mail)).pipe(
    Layer.provideMerge(AuthSettings.layerWith(auth)),
    Layer.provide(Migrations.layerWith(migrations)),
    Layer.provideMerge(Database.layer(database))
  )

/** Migrates and serves. The server stands on all the others, so that requests in flight keep what they use. */
export const layer = (settings: Settings) => {
  const { environment, server, trusted } = settings
  const app = Pipeline.app([...Pipeline.pages(pages), ...Pipeline.plain(machines)])
  return HttpServer.layer(app, { host: server.host, port: server.port, probe: server.healthPath }).pipe(
    Layer.provide(Layer.mergeAll(data(settings), layout, LiveExchanges.layerWith(trusted), LiveAfterwards.layer)),
    Layer.provide(errors(server.storage)),
    Layer.provide(observability(server.storage)),
    Layer.provide(Environment.layerOf(environment))
  )
}
