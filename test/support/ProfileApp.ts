// A program with a profile on a real server: a display name at sign-up, and a role that nobody can choose.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { describe } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as SqlProfile from "../../layers/auth/SqlProfile.ts"
import * as Tables from "../../layers/database/Tables.ts"
import * as Access from "../../routes/auth/Access.ts"
import * as Page from "../../routes/session/Page.ts"
import * as Profile from "../../src/auth/Profile.ts"
import { html } from "../../src/http/Html.ts"
import * as TestApp from "../../testing/TestApp.ts"
import { databasesOfFile, postgres, sqlite, type TestEngine } from "./Databases.ts"

const Name = Schema.Trim.pipe(
  Schema.minLength(1, { message: () => "Enter a name." }),
  Schema.maxLength(20, { message: () => "Use at most 20 characters." })
)

const Role = Schema.Literal("member", "admin")

export const Customer = Profile.make({
  signUp: Schema.Struct({
    display_name: Name,
    colour: Schema.optional(Schema.Literal("red", "blue"))
  }),
  stored: Schema.Struct({
    role: Schema.optionalWith(Role, { default: () => "member" }),
    is_vip: Schema.optionalWith(Schema.Boolean, { default: () => false }),
    points: Schema.optionalWith(Schema.Number, { default: () => 0 })
  }),
  fields: {
    display_name: { label: "Display name", hint: "Others see it.", autocomplete: "nickname" },
    colour: { label: "Colour", options: { red: "Red", blue: "Blue" } },
    role: { label: "Role", options: { member: "Member", admin: "Administrator" } }
  },
  name: ({ display_name }) => display_name
})

const isAdmin = Effect.map(Customer.current, ({ role }) => role === "admin")

const greeting = Effect.map(Customer.current, ({ display_name, role }) =>
  HttpServerResponse.text(`${display_name}, ${role}`)
)

const page = Page.render({ title: "Administration", main: html`<h1>Administration</h1>` })

export const routes = [
  HttpLayerRouter.route("GET", "/greeting", Access.requireUser(greeting)),
  HttpLayerRouter.route("GET", "/admin", Access.requireThat(isAdmin)(page))
]

interface Variant {
  readonly name: string
  readonly database: TestEngine
  readonly tables: Tables.Tables
  readonly statements: ReadonlyArray<string>
  readonly profile: Parameters<typeof SqlProfile.layer>[1]
  /** The table with the profiles, for the statements of a test. */
  readonly stored: string
}

const columns = `display_name TEXT NOT NULL CHECK (display_name <> 'Nobody'), colour TEXT, role TEXT NOT NULL,
  is_vip BOOLEAN NOT NULL, points BIGINT NOT NULL`

const ofTheirOwn = (type: string, users: string) =>
  `CREATE TABLE customers (user_id ${type} PRIMARY KEY REFERENCES ${users} (id) ON DELETE CASCADE, ${columns})`

export const variants: ReadonlyArray<Variant> = [sqlite, postgres].flatMap((database): ReadonlyArray<Variant> => {
  const isSqlite = database.name === "SQLite"
  const serial = isSqlite ? "INTEGER PRIMARY KEY" : "SERIAL PRIMARY KEY"
  const uuid = isSqlite ? "TEXT" : "UUID"
  return [
    {
      name: "a table of its own",
      database,
      tables: Tables.defaults,
      statements: [ofTheirOwn("TEXT", "users")],
      profile: { table: "customers" },
      stored: "customers"
    },
    {
      name: "columns of a table with an integer key",
      database,
      tables: Tables.make({ prefix: "app_", users: { table: "members", key: { type: "integer" }, profile: Customer } }),
      statements: [
        `CREATE TABLE members (id ${serial}, email TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
          email_verified_at BIGINT, ${columns})`
      ],
      profile: {},
      stored: "members"
    },
    {
      name: "a table of its own beside a uuid key",
      database,
      tables: Tables.make({ users: { table: "members", key: { type: "uuid" } } }),
      statements: [
        `CREATE TABLE members (id ${uuid} PRIMARY KEY, email TEXT NOT NULL UNIQUE, password TEXT NOT NULL,
          email_verified_at BIGINT)`,
        ofTheirOwn(uuid, "members")
      ],
      profile: { table: "customers" },
      stored: "customers"
    }
  ]
})

// Names that begin like this belong to one account.
const unique = (table: string) =>
  `CREATE UNIQUE INDEX only_once ON ${table} (display_name) WHERE substr(display_name, 1, 4) = 'Only'`

export const migrations = ({ statements, stored }: Variant) => ({
  "0001_customers": Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach([...statements, unique(stored)], (statement) => sql.unsafe(statement), { discard: true })
  )
})

/** The program on these tables. */
export const layer = (variant: Variant) =>
  TestApp.layer(routes, {
    database: variant.database.layerEmpty,
    tables: variant.tables,
    migrations: migrations(variant),
    services: SqlProfile.layer(Customer, { ...variant.profile, tables: variant.tables })
  })

/** The same suite for each kind of table, on each database. */
export const describeProfiles = (name: string, suite: (variant: Variant) => void): void => {
  const databases = databasesOfFile()
  for (const variant of variants.filter(({ database }) => databases.includes(database))) {
    describe(`${name} in ${variant.name} on ${variant.database.name}`, () => suite(variant))
  }
}
