import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Fs from "node:fs"
import * as Argon2Password from "../../../layers/auth/Argon2Password.ts"
import * as SqlAuthentication from "../../../layers/auth/SqlAuthentication.ts"
import { minimumPolicy } from "../../../src/auth/internal/passwords/PasswordHash.ts"
import * as AuthConfig from "../../../src/auth/AuthConfig.ts"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"
import { flows } from "./Flows.ts"

const tables = [
  "users",
  "tokens",
  "trusts",
  "api_tokens",
  "passkeys",
  "account_changes",
  "passkey_challenges",
  "linked_identities",
  "provider_flows",
  "factor_recoveries",
  "sessions",
  "rate_limits",
  "keys",
  "revocations",
  "factors",
  "recovery_codes",
  "factor_settings",
  "pending_sign_ins",
  "security_events"
]

const dump = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const contents = yield* Effect.forEach(tables, (table) => sql`SELECT * FROM ${sql(table)}`)
  const { name, url } = yield* TestDatabase
  const rows = JSON.stringify(contents)
  if (name !== "SQLite") return rows
  // Deleted rows linger in the file and its log.
  const file = url.slice("file:".length)
  return rows + [file, `${file}-wal`].map((path) => Fs.readFileSync(path, "latin1")).join()
})

describeDatabases("A dump of the database", (database) => {
  const stores = SqlAuthentication.layerWithoutSweeper().pipe(
    Layer.provideMerge(Argon2Password.layer),
    Layer.provideMerge(AuthConfig.layerWith({ argon2: minimumPolicy })),
    Layer.provideMerge(database.layer)
  )
  layer(stores)((it) => {
    it.effect("contains no raw id, verifier, validator, form token or password after all flows", () =>
      Effect.gen(function* () {
        const secrets = yield* flows
        const text = yield* dump
        expect(secrets.length).toBeGreaterThan(20)
        expect(text).toContain("someone@example.com")
        for (const secret of secrets) expect(text.includes(secret), secret).toBe(false)
      })
    )
  })
})
