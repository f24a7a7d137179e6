import { SqlClient } from "@effect/sql"
import { describe, expect, inject, it, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option, Redacted } from "effect"
import { once } from "node:events"
import * as Net from "node:net"
import * as PostgresDatabase from "../../../layers/database/internal/PostgresDatabase.ts"
import { orPlain } from "../../../layers/database/internal/PreparedStatements.ts"
import { isUnavailable } from "../../../src/errors/internal/DatabaseFailure.ts"
import { postgres, TestDatabase } from "../../support/Databases.ts"
import * as PostgresServer from "../../support/PostgresServer.ts"

const open = (url: string, options?: Parameters<typeof PostgresDatabase.layer>[1]) =>
  Effect.provide(SqlClient.SqlClient, PostgresDatabase.layer(Redacted.make(url), options))

const port = (server: Net.Server) => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

const tcpServer = (onConnection: (socket: Net.Socket) => void) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = Net.createServer(onConnection).listen(0, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    (server) => Effect.sync(() => server.close())
  )

describe("PostgresDatabase", () => {
  layer(postgres.layer)((it) => {
    it.effect("reads COUNT and BIGINT as numbers, and beyond their precision as bigint", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* sql`SELECT count(*) AS total, 9007199254740991::bigint AS safe,
          9007199254740993::bigint AS beyond, (-9223372036854775808)::bigint AS least FROM users`
        expect(rows).toEqual([
          { total: 0, safe: 9007199254740991, beyond: 9007199254740993n, least: -9223372036854775808n }
        ])
      })
    )

    it.effect("keeps the driver's parsers for every other type", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows =
          yield* sql`SELECT 7 AS small, true AS flag, 1.5::float8 AS real, 'x' AS text, NULL::text AS nothing,
          '{"a":1}'::jsonb AS json, '2024-01-02T03:04:05Z'::timestamptz AS moment`
        expect(rows).toEqual([
          {
            small: 7,
            flag: true,
            real: 1.5,
            text: "x",
            nothing: null,
            json: { a: 1 },
            moment: new Date("2024-01-02T03:04:05Z")
          }
        ])
      })
    )

    it.effect("names itself to the server", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`SELECT current_setting('application_name') AS name`).toEqual([{ name: "effect-framework" }])
      })
    )

    it.effect("prepares a hot read once for a connection", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const plans = yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const prepared = yield* orPlain
          const read = prepared.one(sql`SELECT email FROM users WHERE id = ${""}`)
          yield* Effect.replicateEffect(read(["nobody"]), 5)
          return yield* sql`SELECT generic_plans + custom_plans AS used FROM pg_prepared_statements`
        }).pipe(Effect.provide(PostgresDatabase.layer(Redacted.make(url), { maxConnections: 1 })))
        expect(plans).toEqual([{ used: 5 }])
      })
    )

    it.effect("loses no connection when fibers are interrupted while they wait for one", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const found = yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const prepared = yield* orPlain
          const read = prepared.one(sql<{ one: number }>`SELECT 1 AS one WHERE 'x' = ${""}`)
          const held = yield* Deferred.make<void>()
          const release = yield* Deferred.make<void>()
          const holder = yield* Deferred.succeed(held, undefined).pipe(
            Effect.zipRight(Deferred.await(release)),
            sql.withTransaction,
            Effect.fork
          )
          yield* Deferred.await(held)
          const waiting = yield* Effect.forkAll([read(["x"]), read(["x"])])
          yield* Effect.yieldNow()
          yield* Fiber.interruptFork(waiting)
          yield* Deferred.succeed(release, undefined)
          yield* Fiber.join(holder)
          return yield* read(["x"])
        }).pipe(Effect.provide(PostgresDatabase.layer(Redacted.make(url), { maxConnections: 1 })))
        expect(found).toEqual(Option.some({ one: 1 }))
      })
    )

    it.effect("says that the database is unavailable when no connection becomes free in time", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const refused = yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const prepared = yield* orPlain
          // A prepared read takes a connection of its own, also inside a transaction.
          return yield* sql.withTransaction(Effect.flip(prepared.one(sql`SELECT 1 AS one`)([])))
        }).pipe(Effect.provide(PostgresDatabase.layer(Redacted.make(url), { maxConnections: 1, connectTimeout: 5000 })))
        expect(isUnavailable(refused)).toBe(true)
      })
    )

    it.effect("reconnects after the server has ended its connections", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { url } = yield* TestDatabase
        yield* sql`SELECT 1`
        const end = Effect.flatMap(
          SqlClient.SqlClient,
          (other) => other`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()`
        )
        yield* Effect.provide(end, postgres.layerAt(url))
        const again = Effect.retry(sql`SELECT 1 AS one`, { times: 10, while: isUnavailable })
        expect(yield* again).toEqual([{ one: 1 }])
      })
    )
  })

  it.effect("reports an unreachable server in one line without the password", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(open("postgres://demo:hunter2@127.0.0.1:1/app"))
      expect(refused.message).toBe(
        "The database postgres://demo:********@127.0.0.1:1/app cannot be used: connect ECONNREFUSED 127.0.0.1:1"
      )
      expect(JSON.stringify(refused)).not.toContain("hunter2")
    })
  )

  it.scoped("refuses a server that accepts and then says nothing", () =>
    Effect.gen(function* () {
      const server = yield* tcpServer(() => {})
      const refused = yield* Effect.flip(
        open(`postgres://demo:hunter2@127.0.0.1:${port(server)}/app`, { connectTimeout: 100 })
      )
      expect(refused.message).toMatch(/cannot be used: .*timeout/)
      expect(refused.message).not.toContain("hunter2")
    })
  )

  it.scoped("refuses a server that is none", () =>
    Effect.gen(function* () {
      const server = yield* tcpServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"))
      const refused = yield* Effect.flip(
        open(`postgres://demo:hunter2@127.0.0.1:${port(server)}/app`, { connectTimeout: 1000 })
      )
      expect(refused.message.split("\n")).toHaveLength(1)
      expect(refused.message).not.toContain("hunter2")
    })
  )

  it.effect("refuses an unknown user and a missing database", () =>
    Effect.gen(function* () {
      const unknown = yield* Effect.flip(open("postgres://demo:hunter2@nowhere.invalid/app"))
      expect(unknown.message).toContain("nowhere.invalid")
      const missing = yield* Effect.flip(open(`${inject("postgresServer")}/no_such_database`))
      expect(missing.reason).toBe('database "no_such_database" does not exist')
    })
  )

  it.effect("refuses a password that is not well encoded without showing it", () =>
    Effect.gen(function* () {
      const refused = yield* Effect.flip(open("postgres://demo:hunter2%zz@127.0.0.1:1/app"))
      expect(refused.message.split("\n")).toHaveLength(1)
      expect(refused.message).not.toContain("hunter2")
    })
  )

  it.effect("fails a statement as unavailable once the server is gone", () =>
    Effect.gen(function* () {
      const server = yield* Effect.promise(() => PostgresServer.start())
      const failures = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const prepared = yield* orPlain
        const read = prepared.one(sql`SELECT 1 AS one WHERE 'x' = ${""}`)
        yield* read(["x"])
        yield* Effect.promise(server.stop)
        return [
          yield* Effect.flip(sql`SELECT 1`),
          yield* Effect.flip(read(["x"])),
          yield* Effect.flip(sql.withTransaction(sql`SELECT 1`))
        ]
      }).pipe(Effect.provide(PostgresDatabase.layer(Redacted.make(`${server.address}/postgres`))))
      expect(failures.map(isUnavailable)).toEqual([true, true, true])
    })
  )
})
