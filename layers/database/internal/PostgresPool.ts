// A pool of connections on which no statement waits forever: the server ends one that takes too long, and this module
// closes a connection whose server does not respond at all.
import { SqlError } from "@effect/sql"
import { Effect, Redacted, type Scope } from "effect"
import { Client, type Pool } from "pg"
import { getTypeParser } from "pg-types"
import { CancellingPool } from "./PostgresCancel.ts"

/** What a pool is made with; milliseconds. */
export interface PoolConfig {
  readonly maxConnections: number
  readonly connectTimeout: number
  /** 0 sets no bound. */
  readonly statementTimeout: number
}

const idleTimeout = 30_000
const keepAliveDelay = 10_000

/** How long a connection may take to respond before it is closed: longer than the server waits before it ends a statement. */
export const responseTimeout = (statementTimeout: number): number =>
  statementTimeout + Math.max(1000, statementTimeout / 10)

/** A pool, and what its first connection has shown. */
interface Reached {
  readonly pool: Pool
  /** Whether a pooler is between, which may run each transaction of a connection on another one of the server. */
  readonly pooled: boolean
  /** Whether the server ends a statement that takes too long. */
  readonly bounded: boolean
  /** Reads a value of a type from its text. */
  readonly parserOf: (oid: number) => (text: string) => unknown
}

/** A pool that has reached its server once, closed with the scope. */
export const make = (
  url: Redacted.Redacted,
  { connectTimeout, maxConnections, statementTimeout }: PoolConfig
): Effect.Effect<Reached, SqlError.SqlError, Scope.Scope> => {
  const open = Effect.sync(() => {
    const pool = new CancellingPool({
      connectionString: Redacted.value(url),
      max: maxConnections,
      connectionTimeoutMillis: connectTimeout,
      idleTimeoutMillis: idleTimeout,
      // A host that disappeared silently is noticed also while the connection is idle.
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveDelay,
      application_name: "effect-framework",
      types,
      ...(statementTimeout === 0
        ? undefined
        : { statement_timeout: statementTimeout, Client: bounded(responseTimeout(statementTimeout)) })
    })
    // A connection that breaks while it is idle is replaced by the pool.
    pool.on("error", () => {})
    return pool
  })
  const close = (pool: Pool) =>
    Effect.promise(() => pool.end()).pipe(Effect.interruptible, Effect.timeoutOption(1000), Effect.asVoid)
  const reach = (pool: Pool) =>
    Effect.tryPromise({
      try: async () => ({ pool, parserOf, ...(await inspect(pool)) }),
      catch: (cause) => new SqlError.SqlError({ cause, message: "Failed to connect" })
    }).pipe(
      Effect.timeoutFail({
        duration: connectTimeout,
        onTimeout: () =>
          new SqlError.SqlError({ cause: new Error("Connection timed out"), message: "Failed to connect" })
      })
    )
  return Effect.flatMap(Effect.acquireRelease(open, close), reach)
}

// A server numbers a connection by the process that serves it. A pooler makes up a number of its own.
const inspect = async (pool: Pool): Promise<Pick<Reached, "pooled" | "bounded">> => {
  const client = await pool.connect()
  try {
    const { rows } = await client.query(
      "SELECT pg_backend_pid() AS pid, current_setting('statement_timeout') <> '0' AS bounded"
    )
    return { pooled: rows[0]?.["pid"] !== client.processID, bounded: rows[0]?.["bounded"] === true }
  } finally {
    client.release()
  }
}

// A transaction that sets its own bound, such as a migration, is waited for until it ends.
const ownBound = /^\s*SET\s+LOCAL\s+statement_timeout\b/i
const end = /^\s*(?:COMMIT|ROLLBACK)\s*$/i

const textOf = (statement: unknown): string => {
  if (typeof statement === "string") return statement
  const named = typeof statement === "object" && statement !== null && "text" in statement ? statement.text : ""
  return typeof named === "string" ? named : ""
}

// The timeout of the driver itself leaves the connection in the pool, where the next statement would wait behind the lost
// one. A connection that is destroyed fails its statements and is replaced. One timer watches all statements of a
// connection: a timer for each would take as long as the rest of this class.
const bounded = (wait: number) =>
  class extends Client {
    #isUnbounded = false
    #running = 0
    // When the server last responded, or began to owe a response.
    #since = 0
    #isWatched = false

    readonly #watch = (): void => {
      this.#isWatched = this.#running > 0
      if (!this.#isWatched) return
      const left = this.#since + wait - performance.now()
      if (left > 0) return this.#watchFor(left)
      const reason = `Connection terminated: the server did not respond within ${wait} ms`
      this.connection.stream.destroy(new Error(reason))
    }

    #watchFor(milliseconds: number): void {
      this.#isWatched = true
      setTimeout(this.#watch, Math.ceil(milliseconds)).unref()
    }

    override query(...given: ReadonlyArray<unknown>): unknown {
      const done = given.at(-1)
      const text = textOf(given[0])
      if (ownBound.test(text)) this.#isUnbounded = true
      else if (this.#isUnbounded && end.test(text)) this.#isUnbounded = false
      if (typeof done !== "function" || this.#isUnbounded) return super.query(...given)
      if (this.#running++ === 0) this.#since = performance.now()
      if (!this.#isWatched) this.#watchFor(wait)
      const settled = (...results: ReadonlyArray<unknown>): void => {
        this.#running--
        this.#since = performance.now()
        Reflect.apply(done, undefined, results)
      }
      return super.query(...given.slice(0, -1), settled)
    }
  }

const int8 = 20

// BIGINT and COUNT(*) arrive as text. A number where it is exact, as from SQLite; a bigint beyond, never a rounded one.
const parserOf: Reached["parserOf"] = (oid) => (oid === int8 ? integer : getTypeParser(oid, "text"))

const types = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    format === "binary" ? getTypeParser(oid, "binary") : parserOf(oid)
}

const integer = (text: string): number | bigint => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
}
