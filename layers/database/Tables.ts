// The tables of the framework in one value: their schema, their prefix, and an existing table of accounts.
import * as StartupLine from "../../src/config/internal/StartupLine.ts"
import { accounts, type OwnUsers, ownUsers, type UsersTable } from "./internal/UsersTable.ts"

export type { UsersTable, NewAccount, OwnUsers } from "./internal/UsersTable.ts"

/** The names of all tables. The migrations, the stores and the mail queue of a program take the same value. */
export interface Tables {
  /** The PostgreSQL schema of the tables below; absent where the connection's default is used. */
  readonly schema: string | undefined
  /** Put before the name of each index. */
  readonly prefix: string
  readonly users: UsersTable
  readonly sessions: string
  readonly tokens: string
  readonly trusts: string
  readonly apiTokens: string
  readonly factors: string
  readonly recoveryCodes: string
  readonly factorSettings: string
  readonly pendingSignIns: string
  readonly sealingKeys: string
  readonly securityEvents: string
  readonly accountChanges: string
  readonly passkeys: string
  readonly passkeyChallenges: string
  readonly factorRecoveries: string
  readonly linkedIdentities: string
  readonly providerFlows: string
  readonly notices: string
  readonly rateLimits: string
  readonly keys: string
  readonly revocations: string
  readonly mailQueue: string
  readonly jobs: string
  readonly jobTicks: string
  readonly pausedQueues: string
  readonly frameworkMigrations: string
  readonly programMigrations: string
}

/** Where the framework's tables are, and the program's table of accounts. */
export interface Options {
  /** A PostgreSQL schema for the framework's tables. The migrations create it when it is missing. */
  readonly schema?: string
  /** Put before the name of each of the framework's tables and indexes, such as `app_`. */
  readonly prefix?: string
  /** The program's own table of accounts. The migrations check it and never change it. */
  readonly users?: OwnUsers
}

/** The tables with another schema or prefix, or with an existing table of accounts. */
export const make = ({ prefix = "", schema, users }: Options = {}): Tables => {
  const qualify = (name: string) => `${schema === undefined ? "" : `${lowerCase(schema)}.`}${prefix}${name}`
  if (prefix !== "") lowerCase(prefix)
  return {
    schema,
    prefix,
    users: users === undefined ? { ...accounts, table: qualify(accounts.table) } : ownUsers(users),
    sessions: qualify("sessions"),
    tokens: qualify("tokens"),
    trusts: qualify("trusts"),
    apiTokens: qualify("api_tokens"),
    factors: qualify("factors"),
    recoveryCodes: qualify("recovery_codes"),
    factorSettings: qualify("factor_settings"),
    pendingSignIns: qualify("pending_sign_ins"),
    sealingKeys: qualify("sealing_keys"),
    securityEvents: qualify("security_events"),
    accountChanges: qualify("account_changes"),
    passkeys: qualify("passkeys"),
    passkeyChallenges: qualify("passkey_challenges"),
    factorRecoveries: qualify("factor_recoveries"),
    linkedIdentities: qualify("linked_identities"),
    providerFlows: qualify("provider_flows"),
    notices: qualify("notices"),
    rateLimits: qualify("rate_limits"),
    keys: qualify("keys"),
    revocations: qualify("revocations"),
    mailQueue: qualify("mail_queue"),
    jobs: qualify("jobs"),
    jobTicks: qualify("job_ticks"),
    pausedQueues: qualify("paused_queues"),
    frameworkMigrations: qualify("framework_migrations"),
    programMigrations: qualify("program_migrations")
  }
}

// PostgreSQL folds an unquoted name to lower case: with another spelling, `psql` would not find the tables.
const lowerCase = (name: string): string => {
  if (/^[a-z_][a-z0-9_]*$/.test(name)) return name
  const reason = `A schema or prefix has lower-case letters, digits and underscores only: ${JSON.stringify(name)}`
  throw new RangeError(StartupLine.guided(reason, "a-name-that-is-refused"))
}

/**
 * The tables as the migrations create them without options.
 *
 * @example
 * ```ts
 * import { SqlClient } from "@effect/sql"
 * import { Effect } from "effect"
 * import { Tables } from "effect-framework/layers/database"
 *
 * // A statement of the program's own on the framework's tables, wherever they are.
 * export const accounts = ({ users }: Tables.Tables = Tables.defaults) =>
 *   Effect.flatMap(
 *     SqlClient.SqlClient,
 *     (sql) => sql<{ readonly accounts: number }>`SELECT count(*) AS accounts FROM ${sql(users.table)}`
 *   )
 * ```
 */
export const defaults: Tables = make()
