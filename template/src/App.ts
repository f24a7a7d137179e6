// The program: its pages, its API and their services. Accounts, metrics, probes and error pages are there already.
import { Layer } from "effect"
import { App } from "effect-framework"
import { DefaultLayout } from "effect-framework/http"
import { AccountsApi, ApiAuthentication } from "effect-framework/routes/auth"
import { ApiDocs, ApiHandlers, Pipeline } from "effect-framework/routes/server"
import { Api } from "./Api.ts"
import * as Home from "./Home.ts"
import * as NoteHandlers from "./NoteHandlers.ts"
import * as NotePages from "./NotePages.ts"
import * as Notes from "./Notes.ts"
import * as Report from "./Report.ts"

/** For users: with a session, every form behind the CSRF check. */
export const pages = [...Home.routes, ...NotePages.routes, ...ApiDocs.pages([Api])]

/** For programs: the API, and its document. */
export const routes = [...Pipeline.api(Api), ...Pipeline.stateless(ApiDocs.routes([Api]))]

const api = ApiHandlers.layer(Api).pipe(
  Layer.provide(Layer.merge(AccountsApi.layer(Api), NoteHandlers.layer)),
  Layer.provide(ApiAuthentication.layer)
)

export const services = Layer.merge(Layer.provideMerge(api, Notes.layer), Report.layer)

export const { collections, migrations } = Notes

const layout = DefaultLayout.layer({ name: "my-app", links: [{ href: "/notes", text: "Notes" }] })

export const { layer, worker } = App.make({ name: "my-app", pages, routes, services, layout, migrations })
