// Every variable of the demo, read once: a malformed one is found before anything is opened.
import { Config, type Effect } from "effect"
import { join } from "node:path"
import * as Database from "../layers/database/Database.ts"
import { TrustedProxies } from "../layers/http/LiveExchanges.ts"
import * as Auth from "../src/auth/Settings.ts"
import * as DatabaseUrl from "../src/database/DatabaseUrl.ts"
import * as Environment from "../src/errors/Environment.ts"
import * as Mail from "../src/mail/Settings.ts"
import * as Setting from "../src/server/Setting.ts"
import * as Server from "../src/server/Settings.ts"

const variables = Config.all({
  server: Server.config({ healthPath: "/livez" }),
  named: Setting.text(Database.variable, ""),
  database: Database.config,
  environment: Environment.config,
  trusted: TrustedProxies,
  auth: Auth.config,
  mail: Mail.config
})

// The default database lies in the storage folder, wherever that is.
export const config = Config.map(variables, ({ database, named, ...rest }) => ({
  ...rest,
  database: named === "" ? DatabaseUrl.Sqlite({ path: join(rest.server.storage, "demo.sqlite") }) : database
}))

export type Settings = Effect.Effect.Success<typeof config>
