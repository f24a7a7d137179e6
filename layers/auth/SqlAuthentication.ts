// All of authentication on one database, as one layer.
import type { SqlClient } from "@effect/sql"
import { Layer } from "effect"
import type { Csrf } from "../../src/auth/Csrf.ts"
import type { KeyRing } from "../../src/auth/KeyRing.ts"
import type { Password } from "../../src/auth/Password.ts"
import type { RateLimit } from "../../src/auth/RateLimit.ts"
import type { Entropy } from "../../src/auth/Secret.ts"
import type { Sessions } from "../../src/auth/Session.ts"
import type { AuthSettings } from "../../src/auth/AuthSettings.ts"
import type { Tokens } from "../../src/auth/Tokens.ts"
import type { Trust } from "../../src/auth/Trust.ts"
import type { Users } from "../../src/auth/Users.ts"
import type { PreparedStatements } from "../database/PreparedStatements.ts"
import * as Argon2Password from "./Argon2Password.ts"
import * as MaskedCsrf from "./MaskedCsrf.ts"
import * as SqlKeyRing from "./SqlKeyRing.ts"
import * as SqlRateLimit from "./SqlRateLimit.ts"
import * as SqlSessions from "./SqlSessions.ts"
import * as SqlTokens from "./SqlTokens.ts"
import * as SqlTrust from "./SqlTrust.ts"
import * as SqlUsers from "./SqlUsers.ts"
import * as Sweeper from "./Sweeper.ts"
import * as SystemEntropy from "./SystemEntropy.ts"

/** The table and column names of the accounts, of which everything that reads them is told once, and the devices. */
export interface Options {
  readonly users?: Partial<SqlUsers.Options>
  readonly trust?: Partial<SqlTrust.Options>
}

/** What the stores of authentication provide. */
export type Services = Csrf | Entropy | KeyRing | RateLimit | Sessions | Tokens | Trust | Users

/** The stores without a hasher: for tests and measurements that bring their own `Password`. */
export const layerStores = ({ trust = {}, users = {} }: Options = {}): Layer.Layer<
  Services,
  never,
  SqlClient.SqlClient | PreparedStatements | AuthSettings | Password
> =>
  SqlTrust.layerWith(trust).pipe(
    Layer.provideMerge(
      Layer.mergeAll(SqlUsers.layerWith(users), SqlTokens.layer, SqlRateLimit.layer, MaskedCsrf.layer)
    ),
    Layer.provideMerge(SqlSessions.layerWith({ users })),
    Layer.provideMerge(SqlKeyRing.layer),
    Layer.provideMerge(SystemEntropy.layer)
  )

/** Everything, with its sweeper. The tables are there before it is built. */
export const layerWith = (
  options: Options
): Layer.Layer<Services | Password, never, SqlClient.SqlClient | PreparedStatements | AuthSettings> =>
  Sweeper.layer.pipe(Layer.provideMerge(layerStores(options)), Layer.provideMerge(Argon2Password.layer))

/** Everything, on tables with their usual names. */
export const layer = layerWith({})
