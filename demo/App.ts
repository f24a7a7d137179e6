// The routes of the demo and their layers.
import { HttpLayerRouter } from "@effect/platform"
import { Layer } from "effect"
import { fileURLToPath } from "node:url"
import * as JobWorker from "../layers/jobs/JobWorker.ts"
import * as AccessLog from "../layers/observability/AccessLog.ts"
import * as SignedCursors from "../layers/pagination/SignedCursors.ts"
import * as AppLayer from "../layers/server/AppLayer.ts"
import * as Access from "../routes/auth/Access.ts"
import * as AccountDeletion from "../routes/auth/AccountDeletion.ts"
import * as LostFactors from "../routes/auth/LostFactors.ts"
import * as AccountsApi from "../routes/auth/AccountsApi.ts"
import * as ApiAuthentication from "../routes/auth/ApiAuthentication.ts"
import * as AuthRoutes from "../routes/auth/AuthRoutes.ts"
import * as Page from "../routes/session/Page.ts"
import * as ScopeAuthentication from "../routes/auth/ScopeAuthentication.ts"
import * as Failures from "./Failures.ts"
import type * as Catcher from "../routes/errors/Catcher.ts"
import * as ApiDocs from "../routes/server/ApiDocs.ts"
import * as ApiHandlers from "../routes/server/ApiHandlers.ts"
import * as Assets from "../routes/http/Assets.ts"
import * as Pipeline from "../routes/server/Pipeline.ts"
import * as Health from "../routes/observability/Health.ts"
import * as Info from "../routes/observability/Info.ts"
import * as Metrics from "../routes/observability/Metrics.ts"
import * as Telemetry from "../routes/observability/Telemetry.ts"
import { html } from "../src/http/Html.ts"
import * as DefaultLayout from "../src/http/DefaultLayout.ts"
import * as Languages from "../src/http/Languages.ts"
import { VERSION } from "../src/config/internal/Version.ts"
import * as Account from "./Account.ts"
import { DemoApi } from "./Api.ts"
import * as Articles from "./articles/Articles.ts"
import * as ArticlesHandlers from "./articles/Handlers.ts"
import * as Listing from "./articles/Listing.ts"
import * as ArticlesMigration from "./articles/Migration.ts"
import * as ArticlesRoutes from "./articles/Routes.ts"
import { Scopes } from "./articles/Scopes.ts"
import * as ArticlesSeed from "./articles/Seed.ts"
import * as ArticleStore from "./articles/Store.ts"
import * as Home from "./Home.ts"
import * as Dashboard from "./observability/Dashboard.ts"
import * as History from "./observability/History.ts"
import * as Logins from "./observability/Logins.ts"
import type { Settings } from "./Settings.ts"
import { DemoTexts } from "./texts/DemoTexts.ts"
import * as German from "./texts/German.ts"

// Versions tell an attacker where to look: only users see them.
const info = HttpLayerRouter.route("GET", "/info", Access.requireUser(Info.handler({ name: "demo", version: VERSION })))

const pages = [
  ...Home.routes,
  ...AuthRoutes.routes,
  ...ArticlesRoutes.make(Page.user),
  ...Dashboard.routes,
  info,
  ...Failures.routes
]

const apis = [DemoApi]
const docs = { title: "Effect Framework", version: VERSION, description: "The API of the demo." }

const machines = [...Health.live, ...Metrics.routes, ...Health.ready, ...Assets.routes(DefaultLayout.assets)]

const layout = DefaultLayout.layer({
  name: "Effect Framework",
  links: ({ texts }) => {
    const { articles, metrics } = texts(DemoTexts).layout
    return [
      { href: "/articles", text: articles },
      { href: "/metrics/dashboard", text: metrics }
    ]
  },
  footer: ({ texts }) => {
    const [before, after] = texts(DemoTexts).layout.footer
    return html`${before}<code>effect-framework</code>${after}`
  }
})

const languages = Languages.layer({ en: Layer.empty, de: German.layer })

/** What the demo adds to the framework's own tables. */
export const { migrations } = ArticlesMigration

export const { collections } = Articles

const views = fileURLToPath(new URL("./views/errors", import.meta.url))

// Cursors are signed where `PAGINATION_KEYS` names a key.
const articles = Layer.provide(Listing.layer, SignedCursors.layerConfig)

const guards = Layer.merge(
  ApiAuthentication.layer,
  ScopeAuthentication.layer(Scopes, { requestsPerToken: { limit: 120, window: "1 minute" } })
)

const api = ApiHandlers.layer(DemoApi).pipe(
  Layer.provide(Layer.merge(AccountsApi.layer(DemoApi), ArticlesHandlers.layer)),
  Layer.provide(Layer.mergeAll(articles, ArticleStore.Store.Default, guards))
)

// They write e-mails outside of a request.
const workers = Layer.provide(Layer.merge(AccountDeletion.layer, LostFactors.layer), Layer.merge(layout, languages))

const services = Layer.mergeAll(
  api,
  layout,
  languages,
  Scopes.layer,
  articles,
  Account.layer,
  workers,
  ArticlesSeed.layer,
  Telemetry.layer,
  AccessLog.layer,
  Logins.layer,
  History.layer
)

const framework = (settings: Settings) => AppLayer.layer(settings, { migrations, views })

/** Migrates, seeds and serves. The server is built last, so that requests in flight keep the services that they use. */
export const layer = (settings: Settings, more: ReadonlyArray<HttpLayerRouter.Route<never, Catcher.Services>> = []) => {
  const app = Pipeline.app([
    ...Pipeline.pages([...pages, ...ApiDocs.pages(apis, docs), ...more]),
    ...Pipeline.api(DemoApi),
    ...Pipeline.stateless([...machines, ...ApiDocs.routes(apis, docs)])
  ])
  return AppLayer.server(app, settings).pipe(Layer.provide(services), Layer.provide(framework(settings)))
}

/** Migrates and runs jobs, for `queue run jobs`. */
export const worker = (settings: Settings, concurrency: number) =>
  JobWorker.layer({ concurrency }).pipe(Layer.provide(services), Layer.provide(framework(settings)))
