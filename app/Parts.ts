// The parts of a program that `App.run` puts together: its pages, and what replaces the defaults around them.
import type { HttpLayerRouter } from "@effect/platform"
import type { SqlClient } from "@effect/sql"
import type { Effect, Layer } from "effect"
import type { Migrations } from "../layers/database/Migrations.ts"
import type { Tables } from "../layers/database/Tables.ts"
import type { AppConfig } from "../layers/server/AppConfig.ts"
import type * as JobWorker from "../layers/jobs/JobWorker.ts"
import type * as AppLayer from "../layers/server/AppLayer.ts"
import type { Provided } from "../layers/server/internal/HttpApp.ts"
import type { Checked } from "../routes/errors/internal/UnhandledFailure.ts"
import type { CurrentIdentity } from "../src/session/Identity.ts"
import type { AfterResponse } from "../src/http/AfterResponse.ts"
import type { Layout } from "../src/http/Layout.ts"
import type { Mailer } from "../src/mail/Mailer.ts"
import type { EntityMismatch } from "../src/pagination/Entity.ts"
import type { CurrentConfig, ExportSource } from "./Program.ts"

export type Routes = ReadonlyArray<HttpLayerRouter.Route<unknown, unknown>>
export type PipedRoutes = ReadonlyArray<HttpLayerRouter.Route<never, unknown>>

/** Stands for the services that the program provides itself, whichever they are. */
export interface Own {
  readonly _: unique symbol
}

/** What every program has: the services of `AppLayer.layer`, the layout and the settings. */
export type Framework = Layer.Layer.Success<ReturnType<typeof AppLayer.layer<never, never>>> | Layout | CurrentConfig

type Missing<Given extends Routes, Services> = Exclude<
  HttpLayerRouter.Route.Context<Given[number]>,
  Framework | Provided | AfterResponse | Services
>

/** What the type checker shows in place of a page that reads `CurrentIdentity` without a guard. */
export interface UnguardedPage {
  readonly "A page reads CurrentIdentity without a guard: wrap it in Access.requireUser(page), or in another guard (effect-framework/docs/troubleshooting.md#no-guard)": CurrentIdentity
}

/** What the type checker shows in place of a page that needs a service which the program does not have. */
export interface MissingService<R> {
  readonly "A page needs a service that the program does not have: add its layer to the option services (effect-framework/docs/troubleshooting.md#a-missing-service)": R
}

/** The same list when each of its routes has the services that it needs; else a type that it does not have. */
export type Accepted<Given extends Routes, Services> =
  CurrentIdentity extends HttpLayerRouter.Route.Context<Given[number]>
    ? UnguardedPage
    : [Missing<Given, Services>] extends [never]
      ? Checked<Given>
      : MissingService<Missing<Given, Services>>

/** What replaces a default. */
export interface Replacements {
  /** The name of the program: in its layout and e-mails, in the help, and of the default database, `NAME.sqlite`. */
  readonly name: string
  /** By default `DefaultLayout.layer({ name })`. */
  readonly layout?: Layer.Layer<Layout, unknown, Exclude<Framework, Layout>>
  /** `Languages.layer({ en: Layer.empty, de: German.layer })`; by default English alone. */
  readonly languages?: Layer.Layer<never, unknown, Exclude<Framework, Layout>>
  /** What runs beside the requests, in `queue run jobs` as well; by default `AccountDeletion.layer` and `LostFactors.layer`. */
  readonly workers?: Layer.Layer<never, unknown, Framework>
  /** Limits of the queues of jobs, by their name; the handlers are layers among the services. */
  readonly queues?: JobWorker.Options["queues"]
  /** In place of the transport that `MAIL_HOST` and `MAIL_QUEUE` name. */
  readonly mailer?: Layer.Layer<Mailer, unknown, SqlClient.SqlClient>
  /** The program's own client, in place of the one that `DATABASE_URL` names; the commands use it as well. */
  readonly database?: (settings: AppConfig) => Layer.Layer<SqlClient.SqlClient, unknown>
  /** The migrations of the program's own tables. */
  readonly migrations?: Migrations
  /** The framework's tables, when they are not the default ones. */
  readonly tables?: Tables
  /** The folder of the program's own error pages. */
  readonly views?: string
  /** What `export` can write, by name: `{ articles: SqlRepository.make(Article) }`. */
  readonly collections?: Readonly<Record<string, Effect.Effect<ExportSource, EntityMismatch, SqlClient.SqlClient>>>
}

interface OwnRoutes<Pages extends Routes, Piped extends PipedRoutes, Services> {
  /**
   * For users: with a session, every form behind the CSRF check. A page takes the place of the framework's with the same
   * method and path, such as `GET /` or `GET /login`.
   */
  readonly pages: Accepted<Pages, Services>
  /** Routes that `Pipeline` has prepared: `[...Pipeline.api(Api), ...Pipeline.stateless(files)]`. */
  readonly routes?: Accepted<Piped, Services>
}

/** The routes of a program that has no services of its own. */
export interface Alone<Pages extends Routes, Piped extends PipedRoutes> extends OwnRoutes<Pages, Piped, never> {
  readonly services?: never
}

/** The routes of a program, and the services that they need. */
export interface Served<Pages extends Routes, Piped extends PipedRoutes, Services> extends OwnRoutes<
  Pages,
  Piped,
  Services
> {
  /** What the program's routes need: stores, profile, hooks, texts, handlers of an API. */
  readonly services: Layer.Layer<Services, unknown, Framework>
}

/**
 * The pages of a program, and what replaces a default. The services have no default type: the compiler chooses it before
 * it has read their layer.
 */
export type Parts<Pages extends Routes, Piped extends PipedRoutes, Services> = Replacements &
  (Alone<Pages, Piped> | Served<Pages, Piped, Services>)

/** Parts of which `Accepted` has said that the services provide what the routes need. */
export interface Compared extends Replacements {
  readonly pages: ReadonlyArray<HttpLayerRouter.Route<never, Framework | Own>>
  readonly routes?: ReadonlyArray<HttpLayerRouter.Route<never, Framework | Own>>
  readonly services?: Layer.Layer<Own, unknown, Framework>
}
