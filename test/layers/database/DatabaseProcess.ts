// A process that waits for a line on standard input, then does one thing to a database at the same time as others:
//   DatabaseProcess DATABASE_URL migrate|increment
//   DatabaseProcess FILE,FILE,… open
import { SqlClient } from "@effect/sql"
import { Effect, Layer, Option } from "effect"
import { once } from "node:events"
import * as Database from "../../../layers/database/Database.ts"
import * as Migrations from "../../../layers/database/Migrations.ts"
import * as SqliteFile from "../../../layers/database/internal/SqliteFile.ts"
import { parse } from "../../../src/database/internal/DatabaseConfig.ts"

const [address = "", task = ""] = process.argv.slice(2)

// Slow enough that a process without the lock would be noticed.
const articles = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE articles (id INTEGER NOT NULL PRIMARY KEY)`
  yield* Effect.sleep("100 millis")
  yield* sql`INSERT INTO articles (id) VALUES (1)`
})

// Reads and then writes what it has read: the shape that a deferred transaction loses.
const increment = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ value: number }>`SELECT value FROM counter ${sql.onDialectOrElse({
    pg: () => sql`FOR UPDATE`,
    orElse: () => sql``
  })}`
  yield* sql`UPDATE counter SET value = ${(row?.value ?? 0) + 1}`
})

// For root nothing is read-only.
const ordinary = Effect.sync(() => {
  if (process.getuid?.() === 0) process.setuid?.("nobody")
})

const reasons = Effect.forEach(address.split(","), (file) =>
  Effect.match(SqliteFile.ready(file), { onFailure: (refused) => refused.reason, onSuccess: () => "opened" })
)

const connected = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(
    effect,
    Layer.suspend(() => Database.layer(Option.getOrThrow(parse(address))))
  )

const tasks: Readonly<Record<string, Effect.Effect<unknown, unknown>>> = {
  migrate: connected(Migrations.run({ "0001_articles": articles })),
  increment: connected(
    Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.replicateEffect(sql.withTransaction(increment), 100))
  ).pipe(Effect.map((done) => done.length)),
  open: Effect.zipRight(ordinary, reasons)
}

process.stdout.write("ready\n")
await once(process.stdin, "data")
process.stdin.destroy()
const result = await Effect.runPromise(tasks[task] ?? Effect.die("no such task"))
process.stdout.write(`${JSON.stringify(result)}\n`)
