// Better Auth on bare node:http: over a SQLite file with the settings of ours, or over PostgreSQL; with COOKIE_CACHE its session
// is in a signed cookie: https://www.better-auth.com/docs/concepts/session-management#cookie-cache
import { betterAuth } from "better-auth"
import { getMigrations } from "better-auth/db/migration"
import { toNodeHandler } from "better-auth/node"
import { createServer } from "node:http"

const { COOKIE_CACHE, DATABASE_URL } = process.env

const sqlite = async () => {
  const { default: Database } = await import("better-sqlite3")
  const database = new Database(DATABASE_URL.replace(/^file:/, ""))
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = NORMAL")
  database.pragma("foreign_keys = ON")
  database.pragma("busy_timeout = 5000")
  return database
}

const postgres = async () => {
  const { default: pg } = await import("pg")
  return new pg.Pool({ connectionString: DATABASE_URL, max: 10 })
}

const options = {
  database: await (DATABASE_URL.startsWith("postgres") ? postgres() : sqlite()),
  secret: "a secret that is long enough for a measurement",
  baseURL: "http://127.0.0.1",
  trustedOrigins: ["http://127.0.0.1:*"],
  emailAndPassword: { enabled: true },
  rateLimit: { enabled: false },
  session: { cookieCache: { enabled: COOKIE_CACHE === "1", maxAge: 3600 } },
  telemetry: { enabled: false },
  logger: { level: "error" }
}

const { runMigrations } = await getMigrations(options)
await runMigrations()
const handler = toNodeHandler(betterAuth(options))

createServer(handler).listen(0, "127.0.0.1", function () {
  process.stdout.write(`listening on http://127.0.0.1:${this.address().port}\n`)
})
