// Abandoned statements end on the server also when they hold every connection: plain, encrypted and behind PgBouncer.
import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, Option, Redacted } from "effect"
import { inject } from "vitest"
import * as PostgresDatabase from "../../../layers/database/internal/PostgresDatabase.ts"
import { orPlain } from "../../../layers/database/internal/PreparedStatements.ts"
import * as Configuration from "../../scale/Configuration.ts"
import { selfSigned } from "../../support/Certificate.ts"
import { postgres, TestDatabase } from "../../support/Databases.ts"
import { eventually } from "../../support/Eventually.ts"
import { describeDaemons } from "../../support/Haproxy.ts"
import * as PgBouncer from "../../support/PgBouncer.ts"
import * as PostgresServer from "../../support/PostgresServer.ts"

const connections = 2

const sleeping = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ count: number }>`SELECT count(*) AS count FROM pg_stat_activity
    WHERE datname = current_database() AND state = 'active' AND query LIKE 'SELECT pg_sleep%'`
)

type Kind = "prepared" | "plain"

const sleep = (kind: Kind) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { values } = yield* orPlain
    const text = "SELECT pg_sleep($1), 'abandoned'"
    return yield* kind === "plain" ? sql.unsafe(text, [600]) : (values?.(sql.unsafe(text))([600]) ?? Effect.void)
  })

/** Fills the pool with statements that nobody waits for; the next read gets a connection long before their bound. */
const abandon = (url: Redacted.Redacted, kind: Kind) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { one } = yield* orPlain
    const read = one(sql<{ one: number }>`SELECT 1 AS one WHERE 'x' = ${""}`)
    const held = yield* Effect.forEach([1, 2], () => Effect.fork(sleep(kind)))
    return { held, read }
  }).pipe(
    Effect.flatMap(({ held, read }) =>
      Effect.gen(function* () {
        yield* eventually(observed(sleeping), ([row]) => row?.count === connections)
        yield* Effect.forEach(held, (fiber) => Fiber.interruptFork(fiber))
        expect(yield* read(["x"])).toEqual(Option.some({ one: 1 }))
        yield* eventually(observed(sleeping), ([row]) => row?.count === 0)
      })
    ),
    // Without a bound of the server, which would end the statements as well.
    Effect.provide(
      PostgresDatabase.layer(url, { maxConnections: connections, connectTimeout: 60_000, statementTimeout: 0 })
    )
  )

// Past the pool under test.
const observed = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.flatMap(TestDatabase, ({ url }) => Effect.provide(effect, postgres.layerAt(url)))

describe("A full pool of abandoned statements", () => {
  for (const kind of ["prepared", "plain"] as const) {
    it.scopedLive(`is free again: ${kind} statements`, () =>
      Effect.gen(function* () {
        yield* abandon(Redacted.make((yield* TestDatabase).url), kind)
      }).pipe(Effect.provide(postgres.layerEmpty))
    )
  }

  it.scopedLive("is free again over an encrypted connection", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.promise(() => PostgresServer.start()),
        ({ stop }) => Effect.promise(stop)
      )
      const url = `${server.address}/postgres`
      yield* Effect.provide(encrypt, postgres.layerAt(url))
      const secret = Redacted.make(`${url}?sslmode=no-verify`)
      yield* Effect.provideService(abandon(secret, "prepared"), TestDatabase, { name: "PostgreSQL", url })
    })
  )
})

// The server writes the files itself: they must be its own, and no one else may read the key.
const encrypt = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { cert, key } = selfSigned("127.0.0.1")
  for (const [file, text] of [
    ["server.crt", cert],
    ["server.key", key]
  ] as const) {
    const lines = `SELECT unnest(string_to_array('${text.trimEnd()}', E'\\n'))`
    yield* sql.unsafe(`DO $do$ BEGIN
      EXECUTE format('COPY (%s) TO PROGRAM %L', $text$${lines}$text$,
        'umask 077; cat > ' || current_setting('data_directory') || '/${file}'); END $do$`)
  }
  yield* sql.unsafe("ALTER SYSTEM SET ssl = on")
  yield* sql.unsafe("SELECT pg_reload_conf()")
  yield* eventually(sql<{ ssl: string }>`SHOW ssl`, ([row]) => row?.ssl === "on")
})

describeDaemons(["pgbouncer"], "A full pool of abandoned statements behind PgBouncer", () => {
  it.scopedLive("is free again: PgBouncer passes the request on", () =>
    Effect.gen(function* () {
      const server = Number(new URL(inject("postgresServer")).port)
      const { port } = yield* PgBouncer.start(server, (...given) =>
        Configuration.pgbouncer(...given).replace(/^default_pool_size = .*$/m, `default_pool_size = ${connections}`)
      )
      const url = new URL((yield* TestDatabase).url)
      url.port = String(port)
      yield* abandon(Redacted.make(url.href), "prepared")
    }).pipe(Effect.provide(postgres.layerEmpty))
  )
})
