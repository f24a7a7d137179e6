import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber, Layer, Redacted } from "effect"
import * as Net from "node:net"
import { once } from "node:events"
import * as Migrations from "../../../layers/database/Migrations.ts"
import * as PostgresDatabase from "../../../layers/database/internal/PostgresDatabase.ts"
import * as PostgresPool from "../../../layers/database/internal/PostgresPool.ts"
import { isUnavailable } from "../../../src/errors/internal/DatabaseFailure.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { postgres, TestDatabase } from "../../support/Databases.ts"
import * as Serving from "../../support/Serving.ts"

const statementTimeout = 2000
const maxConnections = 2

const bounded = Layer.unwrapEffect(
  Effect.map(TestDatabase, ({ url }) =>
    PostgresDatabase.layer(Redacted.make(url), { statementTimeout, maxConnections, connectTimeout: 15_000 })
  )
)

// The backends of the tested program, told apart from the one that looks.
const backends = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ pid: number }>`SELECT pid FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
    (rows) => rows.map(({ pid }) => pid)
  )
)

/** Stops the processes that serve the program's connections, for as long as the scope lives. */
const frozen = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  const pids = yield* Effect.provide(backends, postgres.layerAt(url))
  yield* Effect.acquireRelease(
    Effect.sync(() => {
      for (const pid of pids) process.kill(pid, "SIGSTOP")
    }),
    () =>
      Effect.sync(() => {
        for (const pid of pids) process.kill(pid, "SIGCONT")
      })
  )
  return pids
})

const route = HttpLayerRouter.route(
  "GET",
  "/now",
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.as(Effect.orDie(sql`SELECT now()`), HttpServerResponse.text("now"))
  )
)

const get = Effect.flatMap(ServerAddress, ({ url }) => Effect.promise(() => fetch(`${url}/now`)))

describe("A statement on PostgreSQL", () => {
  layer(Serving.layer([route]).pipe(Layer.provideMerge(bounded), Layer.provideMerge(postgres.layer)), {
    excludeTestServices: true
  })((it) => {
    it.effect("that takes too long is ended by the server, and the connection stays usable", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const error = yield* Effect.flip(sql`SELECT pg_sleep(60)`)
        expect(isUnavailable(error)).toBe(true)
        expect(error.cause).toMatchObject({ code: "57014" })
        expect(yield* sql`SELECT 1 AS one`).toEqual([{ one: 1 }])
      })
    )

    it.scoped("whose backend is frozen responds with 503, and the requests after it are served again", () =>
      Effect.gen(function* () {
        expect((yield* get).status).toBe(200)
        const pids = yield* frozen
        expect(pids.length).toBeGreaterThan(0)
        // One request for each connection of the pool, then one that waits for a connection.
        const responses = yield* Effect.all(
          Array.from({ length: maxConnections + 1 }, () => get),
          { concurrency: "unbounded" }
        )
        for (const { headers, status } of responses) {
          expect([200, 503]).toContain(status)
          if (status === 503) expect(headers.get("retry-after")).not.toBeNull()
        }
        expect(responses.filter(({ status }) => status === 503).length).toBeGreaterThan(0)
        // The frozen connections are gone, not back in the pool.
        const after = yield* Effect.all([get, get, get, get])
        expect(after.map(({ status }) => status)).toEqual([200, 200, 200, 200])
      })
    )

    it.scoped("of a transaction whose backend freezes fails, and the connection is not used again", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const begun = yield* Deferred.make<void>()
        const go = yield* Deferred.make<void>()
        const work = sql`SELECT 1`.pipe(
          Effect.zipRight(Deferred.succeed(begun, undefined)),
          Effect.zipRight(Deferred.await(go)),
          Effect.zipRight(sql`SELECT 2`)
        )
        const fiber = yield* Effect.fork(sql.withTransaction(work))
        yield* Deferred.await(begun)
        yield* frozen
        yield* Deferred.succeed(go, undefined)
        const exit = yield* Fiber.await(fiber)
        expect(Exit.isFailure(exit)).toBe(true)
        expect(yield* sql`SELECT 3 AS three`).toEqual([{ three: 3 }])
      })
    )

    it.effect("of a migration may take as long as it needs", () =>
      Effect.gen(function* () {
        const slow = Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`SELECT pg_sleep(${PostgresPool.responseTimeout(statementTimeout) / 1000 + 0.5})`
        )
        expect(yield* Migrations.run({ "0001_slow": Effect.asVoid(slow) })).toEqual(["0001_slow"])
        const sql = yield* SqlClient.SqlClient
        // Only within its own transaction.
        expect(isUnavailable(yield* Effect.flip(sql`SELECT pg_sleep(60)`))).toBe(true)
        expect(isUnavailable(yield* Effect.flip(sql.withTransaction(sql`SELECT pg_sleep(60)`)))).toBe(true)
      })
    )

    it.effect("has 30 seconds by default", () =>
      Effect.gen(function* () {
        const { url } = yield* TestDatabase
        const shown = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SHOW statement_timeout`)
        const at = (options?: Parameters<typeof PostgresDatabase.layer>[1]) =>
          Effect.provide(shown, PostgresDatabase.layer(Redacted.make(url), options))
        expect(yield* at()).toEqual([{ statement_timeout: "30s" }])
        expect(yield* at({ statementTimeout: 0 })).toEqual([{ statement_timeout: "0" }])
      })
    )
  })

  it.scopedLive("over a network that has gone away fails as out of reach", () =>
    Effect.gen(function* () {
      const { url } = yield* TestDatabase
      const sockets = new Set<Net.Socket>()
      const target = new URL(url)
      // A wire between the program and the server that can be cut without either of them being told.
      const wire = Net.createServer((socket) => {
        const server = Net.connect(Number(target.port), target.hostname)
        for (const end of [socket, server]) {
          sockets.add(end)
          end.on("error", () => end.destroy())
        }
        socket.pipe(server)
        server.pipe(socket)
      })
      yield* Effect.acquireRelease(
        Effect.promise(() => once(wire.listen(0, "127.0.0.1"), "listening")),
        () =>
          Effect.sync(() => {
            for (const socket of sockets) socket.destroy()
            wire.close()
          })
      )
      const address = wire.address()
      const through = new URL(url)
      through.port = String(typeof address === "object" && address !== null ? address.port : 0)
      const errors = yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`SELECT 1`
        for (const socket of sockets) socket.unpipe()
        for (const socket of sockets) socket.pause()
        return [yield* Effect.flip(sql`SELECT 2`)]
      }).pipe(
        Effect.provide(
          PostgresDatabase.layer(Redacted.make(through.href), {
            statementTimeout,
            maxConnections: 1,
            connectTimeout: 15_000
          })
        )
      )
      expect(errors.map(isUnavailable)).toEqual([true])
    }).pipe(Effect.provide(postgres.layerEmpty))
  )
})
