// Where layers meet routes: what the program serves, and what it stands on.
import { Layer } from "effect"
import { PlainLayout } from "effect-framework"
import { AccessLog, Foundation, type ProgramSettings } from "effect-framework/layers"
import { Assets, AuthRoutes, Health, Metrics, Pipeline, Readyz, Telemetry } from "effect-framework/routes"
import * as Home from "./Home.ts"
import * as Notes from "./Notes.ts"

/** For people and their programs: with a session, every form behind the CSRF check. */
export const pages = [...Home.routes, ...AuthRoutes.routes, ...Notes.routes]

/** For machines: probes, metrics, files. */
export const machines = [...Health.routes, ...Readyz.routes, ...Metrics.routes, ...Assets.routes(PlainLayout.assets)]

/** The tables and services of this program. */
export const migrations = Notes.migrations
export const services = Notes.layer

const layout = PlainLayout.layer({ name: "my-app", links: [{ href: "/notes", text: "Notes" }] })

/** Migrates and serves. The server stands on all the others, so that requests in flight keep what they use. */
export const layer = (settings: ProgramSettings.Settings) => {
  const app = Pipeline.app([...Pipeline.pages(pages), ...Pipeline.plain(machines)])
  return Foundation.server(app, settings).pipe(
    Layer.provide(Layer.mergeAll(services, layout, Telemetry.layerBooted, AccessLog.layer)),
    Layer.provide(Foundation.layer(settings, { migrations }))
  )
}
