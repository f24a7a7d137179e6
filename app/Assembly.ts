// Puts a program together from its parts: the framework's routes and layers, each unless the program has its own.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Layer } from "effect"
import * as AccessLog from "../layers/observability/AccessLog.ts"
import type { AppConfig } from "../layers/server/AppConfig.ts"
import * as AppLayer from "../layers/server/AppLayer.ts"
import * as JobWorker from "../layers/jobs/JobWorker.ts"
import * as DuplicateRoute from "../layers/server/internal/DuplicateRoute.ts"
import * as AccountDeletion from "../routes/auth/AccountDeletion.ts"
import * as AuthRoutes from "../routes/auth/AuthRoutes.ts"
import * as LostFactors from "../routes/auth/LostFactors.ts"
import * as Assets from "../routes/http/Assets.ts"
import * as Pipeline from "../routes/server/Pipeline.ts"
import * as Health from "../routes/observability/Health.ts"
import * as Metrics from "../routes/observability/Metrics.ts"
import * as Telemetry from "../routes/observability/Telemetry.ts"
import * as AuthPaths from "../routes/auth/internal/AuthPaths.ts"
import * as Page from "../routes/session/Page.ts"
import * as Respond from "../routes/session/Respond.ts"
import * as Texts from "../routes/http/Texts.ts"
import { html } from "../src/http/Html.ts"
import { HttpTexts } from "../src/http/HttpTexts.ts"
import * as DefaultLayout from "../src/http/DefaultLayout.ts"
import type { Compared, Framework, Own } from "./Parts.ts"
import { CurrentConfig } from "./Program.ts"

// A boundary of the type system: a program without services of its own has no routes that need any.
const none = Layer.empty as Layer.Layer<unknown>

// The page at `/` of a program that has none: it leads to sign-up and sign-in, or to the account.
const homePage = Effect.fn("Home.page")(function* (name: string) {
  const { layout } = yield* Texts.of(HttpTexts)
  const user = yield* Page.user
  const links =
    user === undefined
      ? html`<a class="button" href="/register">${layout.signUp}</a>
          <a class="button quiet" href="${AuthPaths.signIn}">${layout.signIn}</a>`
      : html`<a class="button" href="${AuthPaths.home}">${layout.account}</a>`
  return {
    title: name,
    width: "wide" as const,
    main: html`<h1>${name}</h1>
      <p class="row">${links}</p>`
  }
})

const home = (name: string) => [HttpLayerRouter.route("GET", "/", Respond.render(homePage(name)))]

const pages = (name: string) => Pipeline.pages([...home(name), ...AuthRoutes.routes])

const machines = Pipeline.stateless([
  ...Health.live,
  ...Health.ready,
  ...Metrics.routes,
  ...Assets.routes(DefaultLayout.assets)
])

const defaultWorkers = Layer.merge(AccountDeletion.layer, LostFactors.layer)

// What a process needs around its pages or its jobs.
const around = (parts: Compared, settings: AppConfig) => {
  const { database, languages = Layer.empty, layout = DefaultLayout.layer(parts), services = none, ...rest } = parts
  const program: Layer.Layer<Own, unknown, Framework> = services
  const framework = AppLayer.layer(settings, {
    ...rest,
    ...(database === undefined ? {} : { database: database(settings) })
  })
  return <A, R>(layer: Layer.Layer<A, unknown, R>) =>
    layer.pipe(
      Layer.provideMerge(program),
      Layer.provide(Layer.merge(layout, languages)),
      Layer.provide(Layer.succeed(CurrentConfig, settings)),
      Layer.provide(framework)
    )
}

// Below the worker of jobs, which runs what comes due: it reads the handlers when it starts.
const workersOf = ({ workers = defaultWorkers }: Compared): Layer.Layer<never, unknown, Framework> => workers

/** Migrates and serves. The server is built last, so that requests in flight keep the services that they use. */
export const layer = (parts: Compared, settings: AppConfig) => {
  const own = [...Pipeline.pages(parts.pages), ...(parts.routes ?? [])]
  const app = Pipeline.app([
    ...own,
    ...DuplicateRoute.others(pages(parts.name), own),
    ...DuplicateRoute.others(machines, own)
  ])
  return AppLayer.server(app, settings, parts.queues).pipe(
    Layer.provide(Layer.mergeAll(workersOf(parts), Telemetry.layer, AccessLog.layer)),
    around(parts, settings)
  )
}

/** Migrates and runs jobs, without a server. */
export const worker = (parts: Compared, settings: AppConfig, concurrency: number) =>
  JobWorker.layer({ concurrency, drain: "5 seconds", queues: parts.queues ?? {} }).pipe(
    Layer.provide(workersOf(parts)),
    around(parts, settings)
  )
