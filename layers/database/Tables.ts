// The tables of the framework in one value: their schema, their prefix, and an existing table of accounts.
import { Record } from "effect"
import * as StartupLine from "../../src/config/internal/StartupLine.ts"
import { accounts, type OwnUsers, ownUsers, type UsersTable } from "./internal/UsersTable.ts"

export type { UsersTable, NewAccount, OwnUsers } from "./internal/UsersTable.ts"

// Without a schema and a prefix.
const names = {
  sessions: "sessions",
  tokens: "tokens",
  trusts: "trusts",
  apiTokens: "api_tokens",
  factors: "factors",
  recoveryCodes: "recovery_codes",
  factorSettings: "factor_settings",
  pendingSignIns: "pending_sign_ins",
  sealingKeys: "sealing_keys",
  securityEvents: "security_events",
  accountChanges: "account_changes",
  passkeys: "passkeys",
  passkeyChallenges: "passkey_challenges",
  factorRecoveries: "factor_recoveries",
  linkedIdentities: "linked_identities",
  providerFlows: "provider_flows",
  notices: "notices",
  rateLimits: "rate_limits",
  keys: "keys",
  revocations: "revocations",
  mailQueue: "mail_queue",
  jobs: "jobs",
  jobTicks: "job_ticks",
  pausedQueues: "paused_queues",
  frameworkMigrations: "framework_migrations",
  programMigrations: "program_migrations"
}

type Names = { readonly [Name in keyof typeof names]: string }

/** The names of all tables. The migrations, the stores and the mail queue of a program take the same value. */
export interface Tables extends Names {
  /** The PostgreSQL schema of the tables below; absent where the connection's default is used. */
  readonly schema: string | undefined
  /** Put before the name of each index. */
  readonly prefix: string
  readonly users: UsersTable
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
    ...Record.map(names, qualify)
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
