// The program's own table of accounts: what the start says about it, and tables that others have made.
import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import bcrypt from "bcrypt"
import { Effect, Layer, Option, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as Argon2Password from "../../../layers/auth/Argon2Password.ts"
import * as SqlAuthentication from "../../../layers/auth/SqlAuthentication.ts"
import * as Migrations from "../../../layers/database/Migrations.ts"
import * as Tables from "../../../layers/database/Tables.ts"
import * as AuthConfig from "../../../src/auth/AuthConfig.ts"
import { minimumPolicy } from "../../../src/auth/internal/passwords/PasswordHash.ts"
import { LinkedIdentities } from "../../../src/auth/LinkedIdentities.ts"
import { Duplicate, Users } from "../../../src/auth/Users.ts"
import { AccountId } from "../../../src/session/Identity.ts"
import { TestApp } from "../../../testing/index.ts"
import { describeDatabases, postgres, sqlite } from "../../support/Databases.ts"
import { root } from "../../support/Demo.ts"

const execute = (text: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.forEach(
      text.split(/;\s*$/m).filter((part) => part.trim() !== ""),
      (statement) => sql.unsafe(statement),
      {
        discard: true
      }
    )
  )

const example = (name: string) => readFileSync(join(root, "docs/examples", name), "utf8")

describeDatabases("The check of the program's own accounts", (database) => {
  const refusal = (tables: Tables.Tables) =>
    Effect.map(Effect.flip(Migrations.run({}, { tables })), ({ message }) =>
      message.replace("The migrations failed, the schema is as it was: ", "")
    )

  layer(database.layerEmpty)((it) => {
    it.effect("says that there is no such table, and leaves the database as it was", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        expect(yield* refusal(Tables.make({ users: { table: "nowhere" } }))).toBe("the table nowhere does not exist")
        expect(yield* Effect.isFailure(sql`SELECT * FROM sessions`)).toBe(true)
      })
    )

    it.effect("lists the columns, the index and the values that a table lacks", () =>
      Effect.gen(function* () {
        yield* execute(
          "CREATE TABLE accounts (id TEXT PRIMARY KEY, email TEXT NOT NULL, hash TEXT, name TEXT NOT NULL)"
        )
        const tables = Tables.make({ users: { table: "accounts", secret: "hash", created: { column: "since" } } })
        expect(yield* refusal(tables)).toBe(
          [
            "the table accounts has no column email_verified_at (users.verified.column)",
            "it has no column since (users.created.column)",
            "it has no unique index on email alone (users.identifier)",
            "it requires a value for name: add it to users.values"
          ].join("; ")
        )
      })
    )

    it.effect("says which column has another type", () =>
      Effect.gen(function* () {
        yield* execute(`CREATE TABLE people (id INTEGER NOT NULL PRIMARY KEY, email TEXT NOT NULL UNIQUE,
          password TEXT, email_verified_at ${database.name === "SQLite" ? "DATETIME" : "TIMESTAMP"})`)
        const said = yield* refusal(Tables.make({ users: { table: "people" } }))
        expect(said).toMatch(/^the table people has a column id of type int\w+, not text \(users\.key\.type\); /)
        expect(said).toMatch(/email_verified_at of type (datetime|timestamp), not seconds \(users\.verified\.type\)$/)
      })
    )

    it.effect("accepts a table that the program's own migrations create, and creates the others once", () =>
      Effect.gen(function* () {
        const tables = Tables.make({ prefix: "app_", users: { table: "members" } })
        const members = execute(
          "CREATE TABLE members (id TEXT PRIMARY KEY, email TEXT UNIQUE, password TEXT, email_verified_at BIGINT)"
        )
        const run = Migrations.run({ "0001_members": members }, { tables })
        expect(yield* run).toContain("0001_members")
        expect(yield* run).toEqual([])
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`SELECT * FROM app_sessions`).toEqual([])
        expect(yield* Effect.isFailure(sql`SELECT * FROM app_users`)).toBe(true)
        expect(yield* sql`SELECT * FROM app_program_migrations`).toHaveLength(1)
      })
    )
  })
})

describe("Tables.make", () => {
  it("refuses a name that would need quotes", () => {
    expect(() => Tables.make({ prefix: "App-" })).toThrow(/lower-case letters/)
    expect(() => Tables.make({ schema: "a.b" })).toThrow(/lower-case letters/)
  })

  it.effect("refuses a schema on SQLite", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(Migrations.run({}, { tables: Tables.make({ schema: "auth" }) }))
      expect(refused.message).toContain("SQLite has no schemas: use a prefix in place of the schema auth")
    }).pipe(Effect.provide(sqlite.layerEmpty))
  )

  layer(postgres.layerEmpty)((it) => {
    it.effect("needs no right to create a schema that is there", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ name: string }>`SELECT current_database() AS name`
        const role = `${row?.name}_guest`
        yield* execute(`CREATE ROLE ${role}; CREATE SCHEMA auth AUTHORIZATION ${role};`)
        const run = Migrations.run({}, { tables: Tables.make({ schema: "auth" }) })
        yield* Effect.ensuring(
          sql.withTransaction(Effect.zipRight(execute(`SET LOCAL ROLE ${role}`), run)),
          Effect.orDie(execute(`DROP OWNED BY ${role}; DROP ROLE ${role};`))
        )
      })
    )
  })
})

const hello = Redacted.make("hello world!")

// The table of `mix phx.gen.auth` on PostgreSQL, with an account that Phoenix has made.
const phoenix = Effect.gen(function* () {
  const hash = yield* Effect.promise(() => bcrypt.hash("hello world!", 4))
  yield* execute(`CREATE EXTENSION citext;
    CREATE TABLE users (id bigserial PRIMARY KEY, email citext NOT NULL, hashed_password varchar(255),
      confirmed_at timestamp(0) without time zone, inserted_at timestamp(0) without time zone NOT NULL,
      updated_at timestamp(0) without time zone NOT NULL);
    CREATE UNIQUE INDEX users_email_index ON users (email);
    INSERT INTO users (email, hashed_password, confirmed_at, inserted_at, updated_at)
      VALUES ('Kate@Example.com', '${hash}', '2025-01-01', '2025-01-01', '2025-01-01');
  `)
})

describe("A table made by Phoenix on PostgreSQL", () => {
  const tables = Tables.make({
    schema: "auth",
    users: {
      table: "public.users",
      key: { type: "integer" },
      secret: "hashed_password",
      verified: { column: "confirmed_at", type: "timestamp" },
      values: ({ now }) => ({ inserted_at: now, updated_at: now })
    }
  })
  const app = TestApp.layer([], {
    tables,
    migrations: { "0001_phoenix": phoenix },
    hashing: "argon2",
    database: postgres.layerEmpty
  })

  layer(app)((it) => {
    it.effect("signs its people in, whatever the case of the address, and renews their hashes", () =>
      Effect.gen(function* () {
        const guest = yield* TestApp.guest
        const signedIn = yield* guest.json("POST", "/login", { email: "kATE@example.com", password: "hello world!" })
        expect(signedIn.json).toMatchObject({ id: "1", email: "Kate@Example.com", verified: true })
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql<{ hash: string }>`SELECT hashed_password AS hash FROM users WHERE id = 1`
        expect(row?.hash).toMatch(/^\$argon2id\$/)
        expect((yield* guest.json("GET", "/account")).json).toMatchObject({ id: "1" })
      })
    )

    it.effect("does not take an address that only citext finds equal for the same", () =>
      Effect.gen(function* () {
        const users = yield* Users
        expect(yield* users.fetch("\u212Aate@example.com")).toEqual(Option.none())
        expect(yield* users.verify("\u212Aate@example.com", hello)).toEqual(Option.none())
        expect(yield* Effect.flip(users.enroll("KATE@example.com", hello))).toBeInstanceOf(Duplicate)
      })
    )

    it.effect("adds people beside them, with the columns that Phoenix requires", () =>
      Effect.gen(function* () {
        const member = yield* TestApp.signedInUser()
        expect(member.user.id).toMatch(/^\d+$/)
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql<{ inserted: boolean; confirmed: boolean }>`SELECT
          inserted_at IS NOT NULL AS inserted, confirmed_at IS NOT NULL AS confirmed
          FROM users WHERE id = ${Number(member.user.id)}`
        expect(rows).toEqual([{ inserted: true, confirmed: true }])
      })
    )
  })
})

const argon2 = SqlAuthentication.layerWithoutSweeper({}).pipe(
  Layer.provideMerge(Argon2Password.layer),
  Layer.provide(AuthConfig.layerWith({ argon2: minimumPolicy })),
  Layer.orDie
)

describe("The people of Better Auth", () => {
  layer(Layer.provideMerge(argon2, postgres.layer))((it) => {
    it.effect("are copied once by the script, and sign in with their hashes", () =>
      Effect.gen(function* () {
        const hash = yield* Effect.promise(() => bcrypt.hash("hello world!", 4))
        yield* execute(`CREATE TABLE "user" (id text PRIMARY KEY, name text NOT NULL, email text NOT NULL UNIQUE,
            "emailVerified" boolean NOT NULL, image text, "createdAt" timestamptz NOT NULL, "updatedAt" timestamptz NOT NULL);
          CREATE TABLE account (id text PRIMARY KEY, "accountId" text NOT NULL, "providerId" text NOT NULL,
            "userId" text NOT NULL REFERENCES "user" (id), password text, "createdAt" timestamptz NOT NULL,
            "updatedAt" timestamptz NOT NULL);
          INSERT INTO "user" VALUES
            ('u1', 'Ann', 'Ann@example.com', TRUE, NULL, '2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z'),
            ('u2', 'Bob', 'bob@example.com', FALSE, NULL, '2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z');
          INSERT INTO account VALUES
            ('a1', 'u1', 'credential', 'u1', '${hash}', now(), now()), ('a2', '77', 'github', 'u1', NULL, now(), now()),
            ('a3', '78', 'github', 'u2', NULL, now(), now());
        `)
        yield* execute(example("better-auth.sql"))
        yield* execute(example("better-auth.sql"))
        const users = yield* Users
        const ann = { id: "u1", email: "ann@example.com", verified: true }
        expect(yield* users.verify("ann@example.com", hello)).toEqual(Option.some(ann))
        expect(yield* users.fetch("bob@example.com")).toEqual(
          Option.some({ id: "u2", email: "bob@example.com", verified: false })
        )
        expect(yield* users.verify("bob@example.com", Redacted.make(""))).toEqual(Option.none())
        // `docs/providers.md`
        yield* execute(example("linked-identities.sql"))
        yield* execute(example("linked-identities.sql"))
        const identities = yield* LinkedIdentities
        const owner = yield* identities.find({ issuer: "https://github.com/login/oauth", subject: "77" })
        expect(Option.getOrThrow(owner).identity).toEqual(ann)
        expect(yield* identities.list(AccountId.make("u1"))).toMatchObject([
          { provider: "github", label: "ann@example.com" }
        ])
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`SELECT email_verified_at AS at, created_at AS since FROM users ORDER BY id`).toEqual([
          { at: 1_735_776_000, since: 1_735_689_600 },
          { at: null, since: 1_735_689_600 }
        ])
      })
    )
  })
})

// `docs/providers.md`
describeDatabases("The identities of another library", (database) => {
  const enroll = Effect.fnUntraced(function* (id: string) {
    const sql = yield* SqlClient.SqlClient
    const row = { id, email: `${id}@example.com`, password: "", email_verified_at: null, created_at: 1_735_689_600 }
    yield* sql`INSERT INTO users ${sql.insert(row)}`
  })
  const found = Effect.fnUntraced(function* (id: string) {
    const { find, list } = yield* LinkedIdentities
    const issuers = ["https://accounts.google.com", "https://github.com/login/oauth"]
    const owners = yield* Effect.forEach(issuers, (issuer) => find({ issuer, subject: `of-${id}` }))
    const linked = (yield* list(AccountId.make(id))).map(({ created, label, provider }) => [provider, label, created])
    return { owners: owners.map(Option.map(({ identity }) => identity.id)), linked }
  })

  layer(Layer.provideMerge(argon2, database.layer))((it) => {
    it.effect("are linked by the statement for Better Auth, once", () =>
      Effect.gen(function* () {
        yield* enroll("better")
        yield* execute(`CREATE TABLE account (id TEXT PRIMARY KEY, "accountId" TEXT NOT NULL, "providerId" TEXT NOT NULL,
            "userId" TEXT NOT NULL, "createdAt" TEXT NOT NULL);
          INSERT INTO account VALUES ('a1', 'better', 'credential', 'better', ''), ('a2', 'of-better', 'github', 'better', ''),
            ('a3', 'of-nobody', 'github', 'nobody', '');
        `)
        for (let run = 0; run < 2; run++) yield* execute(example("linked-identities.sql"))
        expect(yield* found("better")).toEqual({
          owners: [Option.none(), Option.some("better")],
          linked: [["github", "better@example.com", 1_735_689_600]]
        })
      })
    )

    it.effect("are linked by the statement for Auth.js, once", () =>
      Effect.gen(function* () {
        yield* enroll("7")
        yield* execute(`CREATE TABLE accounts (id INTEGER PRIMARY KEY, "userId" INTEGER NOT NULL, type TEXT NOT NULL,
            provider TEXT NOT NULL, "providerAccountId" TEXT NOT NULL, access_token TEXT);
          INSERT INTO accounts VALUES (1, 7, 'oidc', 'google', 'of-7', 'a'), (2, 7, 'oauth', 'gitlab', '78', 'a'),
            (3, 8, 'oidc', 'google', 'of-8', 'a');
        `)
        for (let run = 0; run < 2; run++) yield* execute(example("linked-identities-authjs.sql"))
        expect(yield* found("7")).toEqual({
          owners: [Option.some("7"), Option.none()],
          linked: [["google", "7@example.com", 1_735_689_600]]
        })
      })
    )
  })
})

describeDatabases("The accounts of a hand-written login", (database) => {
  const tables = Tables.make({ users: { table: "accounts", key: { type: "integer" }, secret: "hash" } })
  const id = database.name === "SQLite" ? "INTEGER PRIMARY KEY" : "SERIAL PRIMARY KEY"
  const prepared = Effect.gen(function* () {
    yield* execute(`CREATE TABLE accounts (id ${id}, email VARCHAR(200) NOT NULL, hash VARCHAR(200));
      INSERT INTO accounts (email, hash) VALUES ('Ann@Example.com', NULL);
    `)
    yield* execute(example("hand-written.sql"))
  })
  layer(
    SqlAuthentication.layerWithoutSweeper({ tables }).pipe(
      Layer.provideMerge(Argon2Password.layer),
      Layer.provide(AuthConfig.layerWith({ argon2: minimumPolicy })),
      Layer.provide(Migrations.layerWith({ "0001_accounts": prepared }, { tables })),
      Layer.provideMerge(database.layerEmpty)
    )
  )((it) => {
    it.effect("are used in place, and sign in once they have a password", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const { id } = Option.getOrThrow(yield* users.fetch("ann@example.com"))
        expect(yield* users.verify("ann@example.com", hello)).toEqual(Option.none())
        expect(yield* users.rotate(id, hello)).toBe(true)
        expect(Option.isSome(yield* users.verify("ann@example.com", hello))).toBe(true)
      })
    )
  })
})
