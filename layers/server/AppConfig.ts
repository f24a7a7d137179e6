// All settings from the environment, read at once: a malformed value is found before anything is opened.
import { Config } from "effect"
import { join } from "node:path"
import type { Network } from "../../src/session/internal/ForwardedFor.ts"
import * as Auth from "../../src/auth/AuthConfig.ts"
import * as ProviderConfig from "../../src/auth/internal/providers/ProviderConfig.ts"
import * as DatabaseConfig from "../../src/database/internal/DatabaseConfig.ts"
import * as DatabaseUrl from "../../src/database/DatabaseUrl.ts"
import * as EnvironmentName from "../../src/config/internal/EnvironmentName.ts"
import type * as Mail from "../../src/mail/MailConfig.ts"
import * as MailSettings from "../../src/mail/internal/MailSettings.ts"
import * as MetricsExporter from "../../src/observability/MetricsExporter.ts"
import * as TelemetryConfig from "../../src/observability/internal/TelemetryConfig.ts"
import * as Setting from "../../src/config/internal/Setting.ts"
import * as ServerConfig from "../../src/config/internal/ServerConfig.ts"
import * as ForwardedFor from "../../src/session/internal/ForwardedFor.ts"
import * as LogLevelControl from "../observability/internal/LogLevelControl.ts"

export type { ClientSettings, ProviderConfig } from "../../src/auth/internal/providers/ProviderConfig.ts"
export type { ServerConfig } from "../../src/config/internal/ServerConfig.ts"

/** The settings of a program and of its usual layers. */
export interface AppConfig {
  readonly environment: EnvironmentName.Name
  readonly server: ServerConfig.ServerConfig
  readonly database: DatabaseUrl.DatabaseUrl
  /** Seconds that a statement may take on PostgreSQL; 0 for no bound. */
  readonly statementTimeout: number
  /** Whether this version may start on a schema that a newer one has migrated. */
  readonly allowNewerSchema: boolean
  /** The trusted proxies. */
  readonly trusted: ReadonlyArray<Network>
  readonly auth: Auth.Settings
  /** The providers that people sign in with; none where it is missing. */
  readonly providers?: ProviderConfig.ProviderConfig
  readonly mail: Mail.MailConfig
  /** How many jobs a process that serves runs at once; 0 where other processes run them. */
  readonly jobs: { readonly concurrency: number }
  /** Where `ship` sends the metrics; read by every program, so that a malformed value is found at its start. */
  readonly metricsExporter: MetricsExporter.ExporterConfig
  /** What the program sends to a collector while it runs. */
  readonly telemetry: TelemetryConfig.TelemetryConfig
  /** The level from which a program logs when `App.run` starts it. */
  readonly logLevel?: LogLevelControl.Level
}

/** What the program itself provides. */
export interface Options {
  /** Its version, shipped as `service.version` unless `OTEL_RESOURCE_ATTRIBUTES` has one. */
  readonly version?: string
}

const versionOf = ({ version }: Options) => (version === undefined ? {} : { "service.version": version })

const variables = (options: Options) =>
  Config.all({
    environment: EnvironmentName.config,
    server: ServerConfig.config({ healthPath: "/livez" }),
    named: Setting.text(DatabaseConfig.urlVariable, ""),
    database: DatabaseConfig.url,
    statementTimeout: DatabaseConfig.statementTimeout,
    allowNewerSchema: DatabaseConfig.allowNewer,
    trusted: ForwardedFor.config,
    auth: Auth.config,
    providers: ProviderConfig.config,
    mail: MailSettings.config,
    jobs: Config.all({ concurrency: Setting.integer("JOBS_CONCURRENCY", 2, { min: 0, max: 100 }) }),
    metricsExporter: MetricsExporter.config(versionOf(options)),
    telemetry: TelemetryConfig.options,
    logLevel: LogLevelControl.config
  })

/**
 * All variables; without `DATABASE_URL` the data is in `NAME.sqlite` in the storage folder, wherever that is.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { AppConfig, AppLayer } from "effect-framework/layers/server"
 *
 * // For a program that is not started by `App.run`. Without `DATABASE_URL` its data is in `teapots.sqlite`.
 * export const framework = Layer.unwrapEffect(
 *   Effect.map(AppConfig.config("teapots", { version: "1.2.3" }), (settings) => AppLayer.layer(settings))
 * )
 * ```
 */
export const config = (name: string, options: Options = {}): Config.Config<AppConfig> =>
  Config.map(variables(options), ({ database, named, telemetry, ...rest }) => ({
    ...rest,
    telemetry: TelemetryConfig.make(telemetry, rest.metricsExporter),
    database: named === "" ? DatabaseUrl.Sqlite({ path: join(rest.server.storage, `${name}.sqlite`) }) : database
  }))
