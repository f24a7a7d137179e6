// The database that commands use: the program's own, or the one of `DATABASE_URL`.
import type { SqlClient } from "@effect/sql"
import type { Layer } from "effect"
import * as Database from "../layers/database/Database.ts"
import type { AppConfig } from "../layers/server/AppConfig.ts"
import type { DatabaseUnavailable } from "../src/database/DatabaseUnavailable.ts"
import type { Options } from "./Program.ts"

/** Opens it when a command needs it. */
export const layer = <E, E2, E3>(
  { database }: Options<E, E2, E3>,
  settings: AppConfig
): Layer.Layer<SqlClient.SqlClient, E3 | DatabaseUnavailable> =>
  database === undefined ? Database.layer(settings.database, settings) : database(settings)
