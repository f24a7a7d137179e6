// Every environment variable of the program, read once at the start, with a default that just works.
import { Config, ConfigError, type Effect } from "effect"
import {
  AuthSettings,
  DatabaseUnavailable,
  DatabaseUrl,
  Environment,
  MailSettings,
  MigrationFailed,
  ServerSettings,
  Setting,
  StartFailure
} from "effect-framework"
import { Database, LiveExchanges } from "effect-framework/layers"
import { join } from "node:path"

const variables = Config.all({
  environment: Environment.config,
  server: ServerSettings.config({ healthPath: "/livez" }),
  named: Setting.text(Database.variable, ""),
  database: Database.config,
  trusted: LiveExchanges.TrustedProxies,
  auth: AuthSettings.config,
  mail: MailSettings.config
})

export const config = Config.map(variables, ({ database, named, ...rest }) => ({
  ...rest,
  database: named === "" ? DatabaseUrl.Sqlite({ path: join(rest.server.storage, "my-app.sqlite") }) : database
}))

export type Settings = Effect.Effect.Success<typeof config>

const expected = [StartFailure.StartFailure, DatabaseUnavailable.DatabaseUnavailable, MigrationFailed.MigrationFailed]

/** A start that fails for a reason outside of the program says it in one line. */
export const line = (thrown: unknown): string | undefined => {
  if (ConfigError.isConfigError(thrown)) return Setting.line(thrown)
  return expected.some((kind) => thrown instanceof kind) && thrown instanceof Error ? thrown.message : undefined
}
