// The routes of the shop and their layers.
import { NodeHttpPlatform } from "@effect/platform-node"
import { Layer, Option } from "effect"
import { DefaultLayout, Languages } from "effect-framework/http"
import { JobWorker } from "effect-framework/layers/jobs"
import { AccessLog } from "effect-framework/layers/observability"
import { type AppConfig, AppLayer } from "effect-framework/layers/server"
import { AuthRoutes } from "effect-framework/routes/auth"
import { Assets } from "effect-framework/routes/http"
import { Pipeline } from "effect-framework/routes/server"
import { Health, Metrics, Telemetry } from "effect-framework/routes/observability"
import { join } from "node:path"
import * as Admin from "./Admin.ts"
import * as Catalogue from "./Catalogue.ts"
import * as Customers from "./Customers.ts"
import * as JobPages from "./JobPages.ts"
import * as Orders from "./Orders.ts"
import * as OrderScript from "./OrderScript.ts"
import * as Pictures from "./Pictures.ts"
import * as Products from "./Products.ts"
import * as Sales from "./Sales.ts"
import * as StockReport from "./StockReport.ts"
import { migrations, tables } from "./Tables.ts"
import { german, ShopTexts } from "./Texts.ts"

export { migrations, tables }

export const { collections } = Products

/** For users and API clients: with a session, every form behind the CSRF check. */
export const pages = [...Catalogue.routes, ...Orders.routes, ...Admin.routes, ...JobPages.routes, ...AuthRoutes.routes]

/** For machines: probes, metrics, files. */
export const machines = [
  ...Pictures.routes,
  ...Health.live,
  ...Health.ready,
  ...Metrics.routes,
  ...Assets.routes([...DefaultLayout.assets, OrderScript.asset])
]

export const app = Pipeline.app([...Pipeline.pages(pages), ...Pipeline.stateless(machines)])

const layout = DefaultLayout.layer({
  name: "Teapot Shop",
  links: ({ texts }, user) => {
    const { admin, jobs, orders } = texts(ShopTexts)
    const isAdmin = Option.exists(Customers.Customer.of(user), ({ role }) => role === "admin")
    const own = isAdmin
      ? [
          { href: "/admin", text: admin },
          { href: "/admin/jobs", text: jobs.title }
        ]
      : []
    return [{ href: "/orders", text: orders }, ...own]
  }
})

/** The services of the shop; the pictures are in this folder. */
export const services = (pictures: string) =>
  Layer.mergeAll(
    Customers.layer,
    Products.layer,
    Sales.layer,
    Pictures.layer(pictures),
    StockReport.layer,
    NodeHttpPlatform.layer,
    layout,
    Languages.layer({ en: Layer.empty, de: german })
  )

const around =
  (settings: AppConfig.AppConfig) =>
  <A, E, R>(layer: Layer.Layer<A, E, R>) =>
    layer.pipe(
      Layer.provide(services(join(settings.server.storage, "pictures"))),
      Layer.provide(AppLayer.layer(settings, { migrations, tables }))
    )

/** Migrates and serves. The server is built last, so that requests in flight keep the services that they use. */
export const layer = (settings: AppConfig.AppConfig) =>
  AppLayer.server(app, settings).pipe(Layer.provide(Layer.merge(Telemetry.layer, AccessLog.layer)), around(settings))

/** Migrates and runs jobs, for `queue run jobs`. */
export const worker = (settings: AppConfig.AppConfig, concurrency: number) =>
  around(settings)(JobWorker.layer({ concurrency }))
