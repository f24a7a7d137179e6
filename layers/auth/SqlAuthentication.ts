// All of authentication on one database, as one layer.
import type { SqlClient } from "@effect/sql"
import { Layer } from "effect"
import type { AccountChanges } from "../../src/auth/internal/AccountChanges.ts"
import type { ApiTokens } from "../../src/auth/ApiTokens.ts"
import type { Csrf } from "../../src/session/Csrf.ts"
import type { LostFactorRequests } from "../../src/auth/internal/LostFactorRequests.ts"
import * as FactorPolicy from "../../src/auth/FactorPolicy.ts"
import type { Factors } from "../../src/auth/Factors.ts"
import type { KeyRing } from "../../src/session/internal/KeyRing.ts"
import type { LinkedIdentities } from "../../src/auth/LinkedIdentities.ts"
import type * as Providers from "../../src/auth/Providers.ts"
import * as AddedProviders from "../../src/auth/internal/providers/AddedProviders.ts"
import type { ProviderFlows } from "../../src/auth/internal/providers/ProviderFlows.ts"
import type { Passkeys } from "../../src/auth/Passkeys.ts"
import type { KnownDevices } from "../../src/auth/internal/KnownDevices.ts"
import type { Password } from "../../src/auth/Password.ts"
import type { Notices } from "../../src/auth/internal/Notices.ts"
import type { PendingSignIns } from "../../src/auth/internal/PendingSignIns.ts"
import type { RefusedPasswords } from "../../src/auth/RefusedPasswords.ts"
import type { RateLimit } from "../../src/session/RateLimit.ts"
import type { SecurityEvents } from "../../src/auth/SecurityEvents.ts"
import type { SignInMethods } from "../../src/auth/SignInMethods.ts"
import type { Sessions } from "../../src/session/Session.ts"
import type { AuthConfig } from "../../src/auth/AuthConfig.ts"
import type { SessionConfig } from "../../src/session/internal/SessionConfig.ts"
import type { Tokens } from "../../src/auth/Tokens.ts"
import type { Trust } from "../../src/auth/Trust.ts"
import type { Users } from "../../src/auth/Users.ts"
import type { Mailer } from "../../src/mail/Mailer.ts"
import * as Argon2Password from "./Argon2Password.ts"
import * as ListedPasswords from "./internal/ListedPasswords.ts"
import * as MaskedCsrf from "../session/internal/MaskedCsrf.ts"
import * as SignedKnownDevices from "./internal/SignedKnownDevices.ts"
import * as SqlAccountChanges from "./internal/SqlAccountChanges.ts"
import * as SqlApiTokens from "./internal/SqlApiTokens.ts"
import * as SqlLinkedIdentities from "./internal/SqlLinkedIdentities.ts"
import * as SqlLostFactorRequests from "./internal/SqlLostFactorRequests.ts"
import * as SqlFactors from "./internal/SqlFactors.ts"
import * as SqlKeyRing from "../session/internal/SqlKeyRing.ts"
import * as SqlNotices from "./internal/SqlNotices.ts"
import * as SqlPasskeys from "./internal/SqlPasskeys.ts"
import * as SqlProviderFlows from "./internal/SqlProviderFlows.ts"
import * as SqlPendingSignIns from "./internal/SqlPendingSignIns.ts"
import * as AuthRateLimits from "../../src/auth/internal/AuthRateLimits.ts"
import * as SqlRateLimit from "../session/internal/SqlRateLimit.ts"
import * as SqlSecurityEvents from "./internal/SqlSecurityEvents.ts"
import * as SqlSignInMethods from "./internal/SqlSignInMethods.ts"
import * as SqlSessions from "../session/internal/SqlSessions.ts"
import * as SqlTokens from "./SqlTokens.ts"
import * as SqlTrust from "./SqlTrust.ts"
import * as SqlUsers from "./SqlUsers.ts"
import * as Sweeper from "./internal/Sweeper.ts"

import * as Tables from "../database/Tables.ts"

export type { AccountChanges, KeyRing, KnownDevices, LostFactorRequests, Notices, PendingSignIns, ProviderFlows }

/** The tables of every store, the options of `SqlTrust`, and the hash of passwords. */
export interface Options {
  readonly tables?: Tables.Tables
  readonly trust?: Partial<SqlTrust.Options>
  /** argon2id where it is left out. */
  readonly password?: Layer.Layer<Password, never, AuthConfig>
}

/** The services that the stores provide. */
export type Services =
  | AccountChanges
  | ApiTokens
  | Csrf
  | LinkedIdentities
  | LostFactorRequests
  | FactorPolicy.FactorPolicy
  | Factors
  | KeyRing
  | Notices
  | Passkeys
  | PendingSignIns
  | ProviderFlows
  | Providers.Providers
  | KnownDevices
  | RateLimit
  | RefusedPasswords
  | SecurityEvents
  | Sessions
  | SignInMethods
  | Tokens
  | Trust
  | Users

/**
 * The stores without `Password` and without the sweeper, for a command or a test that ends soon: notices that are due are not
 * sent, and expired rows stay. A program with a hash of its own gives it to `layerWith`.
 *
 * @example
 * ```ts
 * import { Effect, Layer, Option } from "effect"
 * import { AuthConfig, Users } from "effect-framework/auth"
 * import { Argon2Password, SqlAuthentication } from "effect-framework/layers/auth"
 * import { Database, Migrations } from "effect-framework/layers/database"
 * import { Session } from "effect-framework/session"
 *
 * const services = SqlAuthentication.layerWithoutSweeper().pipe(
 *   Layer.provideMerge(Argon2Password.layer),
 *   Layer.provide(AuthConfig.layer),
 *   Layer.provide(Layer.provideMerge(Migrations.layer, Database.layerConfig))
 * )
 *
 * // A command, which sends no e-mails and so needs no mailer.
 * export const signOut = (email: string) =>
 *   Effect.gen(function* () {
 *     const users = yield* Users.Users
 *     const sessions = yield* Session.Sessions
 *     const user = yield* users.fetch(email)
 *     return Option.isSome(user) ? yield* sessions.revoke(user.value.id) : 0
 *   }).pipe(Effect.provide(services))
 * ```
 */
export const layerWithoutSweeper = ({ tables = Tables.defaults, trust = {} }: Options = {}): Layer.Layer<
  Services,
  never,
  SqlClient.SqlClient | AuthConfig | SessionConfig | Password
> =>
  Layer.mergeAll(
    SqlTrust.layerWith({ tables, ...trust }),
    SqlAccountChanges.layer(tables),
    SqlLostFactorRequests.layer(tables),
    SqlSignInMethods.layerWith({ tables })
  ).pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        SqlUsers.layerWith({ tables }),
        SqlTokens.layerWith({ tables }),
        SqlApiTokens.layer(tables),
        SqlFactors.layer(tables),
        SqlPendingSignIns.layer(tables),
        SqlPasskeys.layer(tables),
        SqlLinkedIdentities.layer(tables),
        SqlProviderFlows.layer(tables),
        SqlNotices.layer(tables),
        SqlRateLimit.layerWith({ tables, rules: AuthRateLimits.rules }),
        SqlSecurityEvents.layer(tables),
        AddedProviders.layer,
        MaskedCsrf.layer,
        ListedPasswords.layer,
        FactorPolicy.layerNobody,
        SignedKnownDevices.layer
      )
    ),
    Layer.provideMerge(SqlSessions.layer(tables)),
    Layer.provideMerge(SqlKeyRing.layer(tables))
  )

/**
 * All services and the sweeper, which sends notices that wait. The tables must exist before the layer is built.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { AuthConfig } from "effect-framework/auth"
 * import { SqlAuthentication } from "effect-framework/layers/auth"
 * import { Database, Migrations, Tables } from "effect-framework/layers/database"
 * import { ConfiguredMailer } from "effect-framework/layers/mail"
 *
 * // Beside the tables of another program, in one database.
 * const tables = Tables.make({ prefix: "shop_" })
 *
 * const database = Layer.provideMerge(Migrations.layerWith({}, { tables }), Database.layerConfig)
 *
 * export const authentication = SqlAuthentication.layerWith({ tables }).pipe(
 *   Layer.provide(ConfiguredMailer.layer),
 *   Layer.provide(AuthConfig.layer),
 *   Layer.provide(database)
 * )
 * ```
 */
export const layerWith = (
  options: Options
): Layer.Layer<Services | Password, never, SqlClient.SqlClient | AuthConfig | SessionConfig | Mailer> =>
  Sweeper.layer.pipe(
    Layer.provideMerge(layerWithoutSweeper(options)),
    Layer.provideMerge(options.password ?? Argon2Password.layer)
  )

/**
 * All services and the sweeper, on the tables that the migrations create.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { AuthConfig } from "effect-framework/auth"
 * import { SqlAuthentication } from "effect-framework/layers/auth"
 * import { Database, Migrations } from "effect-framework/layers/database"
 * import { ConfiguredMailer } from "effect-framework/layers/mail"
 *
 * const database = Layer.provideMerge(Migrations.layer, Database.layerConfig)
 *
 * export const authentication = SqlAuthentication.layer.pipe(
 *   Layer.provide(ConfiguredMailer.layer),
 *   Layer.provide(AuthConfig.layer),
 *   Layer.provide(database)
 * )
 * ```
 */
export const layer = layerWith({})
