// The routes of the program and their layers.
import { Layer } from "effect"
import { DefaultLayout } from "effect-framework/http"
import { AccessLog } from "effect-framework/layers/observability"
import { type AppConfig, AppLayer } from "effect-framework/layers/server"
import {
  AccountDeletion,
  AccountsApi,
  ApiAuthentication,
  AuthRoutes,
  FactorRecovery
} from "effect-framework/routes/auth"
import { ApiDocs, ApiHandlers, Assets, Pipeline } from "effect-framework/routes/http"
import { Health, Metrics, Readyz, Telemetry } from "effect-framework/routes/observability"
import { Api } from "./Api.ts"
import * as Home from "./Home.ts"
import * as NoteHandlers from "./NoteHandlers.ts"
import * as NotePages from "./NotePages.ts"
import * as Notes from "./Notes.ts"

// For users: with a session, every form behind the CSRF check.
const pages = [...Home.routes, ...AuthRoutes.routes, ...NotePages.routes, ...ApiDocs.pages([Api])]

// For machines: probes, metrics, files, the document of the API.
const machines = [
  ...Health.routes,
  ...Readyz.routes,
  ...Metrics.routes,
  ...Assets.routes(DefaultLayout.assets),
  ...ApiDocs.routes([Api])
]

export const app = Pipeline.app([...Pipeline.pages(pages), ...Pipeline.api(Api), ...Pipeline.plain(machines)])

const api = ApiHandlers.layer(Api).pipe(
  Layer.provide(Layer.merge(AccountsApi.layer(Api), NoteHandlers.layer)),
  Layer.provide(ApiAuthentication.layer)
)

const layout = DefaultLayout.layer({ name: "my-app", links: [{ href: "/notes", text: "Notes" }] })

// They write e-mails outside of a request, and take the name of the program from the layout.
const workers = Layer.provide(Layer.merge(AccountDeletion.layer, FactorRecovery.layer), layout)

/** The tables and services of this program. */
export const migrations = Notes.migrations
export const collections = Notes.collections
export const services = Layer.merge(Layer.provideMerge(api, Notes.layer), workers)

/** Migrates and serves. The server is built last, so that requests in flight keep the services that they use. */
export const layer = (settings: AppConfig.AppConfig) =>
  AppLayer.server(app, settings).pipe(
    Layer.provide(Layer.mergeAll(services, layout, Telemetry.layerBooted, AccessLog.layer)),
    Layer.provide(AppLayer.layer(settings, { migrations }))
  )
