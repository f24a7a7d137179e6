// The routes of the program and their layers.
import { Layer } from "effect"
import { DefaultLayout } from "effect-framework/http"
import { AccessLog } from "effect-framework/layers/observability"
import { type AppConfig, AppLayer } from "effect-framework/layers/server"
import { AuthRoutes } from "effect-framework/routes/auth"
import { Assets, Pipeline } from "effect-framework/routes/http"
import { Health, Metrics, Readyz, Telemetry } from "effect-framework/routes/observability"
import * as Home from "./Home.ts"
import * as NotePages from "./NotePages.ts"
import * as Notes from "./Notes.ts"

/** For users and API clients: with a session, every form behind the CSRF check. */
export const pages = [...Home.routes, ...AuthRoutes.routes, ...NotePages.routes]

/** For machines: probes, metrics, files. */
export const machines = [...Health.routes, ...Readyz.routes, ...Metrics.routes, ...Assets.routes(DefaultLayout.assets)]

/** The tables and services of this program. */
export const migrations = Notes.migrations
export const collections = Notes.collections
export const services = Notes.layer

const layout = DefaultLayout.layer({ name: "my-app", links: [{ href: "/notes", text: "Notes" }] })

/** Migrates and serves. The server is built last, so that requests in flight keep the services that they use. */
export const layer = (settings: AppConfig.AppConfig) => {
  const app = Pipeline.app([...Pipeline.pages(pages), ...Pipeline.plain(machines)])
  return AppLayer.server(app, settings).pipe(
    Layer.provide(Layer.mergeAll(services, layout, Telemetry.layerBooted, AccessLog.layer)),
    Layer.provide(AppLayer.layer(settings, { migrations }))
  )
}
