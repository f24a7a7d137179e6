// What happens to a program while it reads lists: the schema changes, connections break, statements are cancelled and
// requests are given up. A list that was disturbed is right or fails for that reason; the next one is right.
import { SqlClient, SqlError } from "@effect/sql"
import { expect } from "@effect/vitest"
import { Cause, Effect, Exit, FastCheck as fc, Fiber } from "effect"
import type { Engine } from "../../../support/Databases.ts"
import type * as Table from "./Table.ts"

export type Disturbance =
  | { readonly _tag: "None" }
  /** A column is added and taken away, an index is made and dropped, or a column has another name for a moment. */
  | { readonly _tag: "Schema"; readonly change: "column" | "index" | "name"; readonly pick: number }
  /** The server ends every connection, or every statement. SQLite has none of either. */
  | { readonly _tag: "Kill" | "Cancel" }
  /** So many requests are given up, after so many turns of their fibers. */
  | { readonly _tag: "Leave"; readonly requests: number; readonly turns: number }

/** Most lists are read undisturbed. */
export const disturbance = (engine: Engine): fc.Arbitrary<Disturbance> =>
  fc.oneof(
    { weight: 12, arbitrary: fc.constant<Disturbance>({ _tag: "None" }) },
    {
      weight: 2,
      arbitrary: fc.record({
        _tag: fc.constant("Schema" as const),
        change: fc.constantFrom("column" as const, "index" as const, "name" as const),
        pick: fc.nat(20)
      })
    },
    {
      weight: engine === "SQLite" ? 0 : 1,
      arbitrary: fc.record({ _tag: fc.constantFrom("Kill" as const, "Cancel" as const) })
    },
    {
      weight: 2,
      arbitrary: fc.record({
        _tag: fc.constant("Leave" as const),
        requests: fc.integer({ min: 1, max: 12 }),
        turns: fc.nat(6)
      })
    }
  )

/** Disturbs a read of a list, which must have these items or fail for this reason. */
export const apply = <A, E>(
  { fields, name }: Table.Table,
  disturbance: Disturbance,
  read: Effect.Effect<ReadonlyArray<A>, E>,
  wanted: ReadonlyArray<unknown>
) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const right = Effect.map(read, (items) => expect(items).toEqual(wanted))
    switch (disturbance._tag) {
      case "None":
        return
      case "Schema": {
        // JSON of PostgreSQL has no index.
        const ordered = fields.filter(({ kind }) => kind.isOrdered)
        const column = ordered[disturbance.pick % ordered.length]?.name ?? ""
        const [change, back] = changes[disturbance.change](name, column)
        yield* right
        yield* sql.unsafe(change)
        // A column of another name is a failure each time, and no page of before.
        const renamed = Effect.map(Effect.exit(read), (exit) => expect(Exit.isFailure(exit)).toBe(true))
        yield* disturbance.change === "name" ? Effect.zipRight(renamed, renamed) : right
        yield* sql.unsafe(back)
        return yield* right
      }
      case "Kill":
      case "Cancel": {
        const readers = yield* Effect.forEach([1, 2, 3], () => Effect.fork(right))
        yield* Effect.yieldNow()
        // A busy machine may end a connection later than it was told to: this waits until each is gone.
        const end = disturbance._tag === "Kill" ? "pg_terminate_backend(pid, 30000)" : "pg_cancel_backend(pid)"
        yield* Effect.ignore(
          sql.unsafe(
            `SELECT ${end} FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
          )
        )
        for (const exit of yield* Fiber.awaitAll(readers)) {
          if (Exit.isFailure(exit)) expect(isOver(exit.cause), String(exit.cause)).toBe(true)
        }
        // The program notices each broken connection by itself, one that was idle before its next statement. A wrong page is
        // wrong at once.
        return yield* Effect.retry(
          Effect.sandbox(
            Effect.all(
              Array.from({ length: 8 }, () => right),
              { concurrency: 8 }
            )
          ),
          { times: 20, while: isOver }
        )
      }
      case "Leave": {
        const readers = yield* Effect.forEach(Array.from({ length: disturbance.requests }), () => Effect.fork(right))
        for (let turn = 0; turn < disturbance.turns; turn++) yield* Effect.yieldNow()
        const exits = yield* Effect.forEach(readers, Fiber.interrupt, { concurrency: "unbounded" })
        const others = exits.filter((exit) => Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause))
        return expect(others).toEqual([])
      }
    }
  })

const changes = {
  column: (table: string) => [
    `ALTER TABLE ${table} ADD COLUMN extra INTEGER`,
    `ALTER TABLE ${table} DROP COLUMN extra`
  ],
  index: (table: string, column: string) => [
    `CREATE INDEX disturbing ON ${table} ("${column}")`,
    "DROP INDEX disturbing"
  ],
  name: (table: string, column: string) => [
    `ALTER TABLE ${table} RENAME COLUMN "${column}" TO another`,
    `ALTER TABLE ${table} RENAME COLUMN another TO "${column}"`
  ]
} satisfies Record<string, (table: string, column: string) => [string, string]>

// The server was told to: class 57. Or the driver says that the connection is gone.
const isBroken = (defect: unknown): boolean => {
  const cause = defect instanceof SqlError.SqlError ? defect.cause : undefined
  if (!(cause instanceof Error)) return false
  const code = "code" in cause ? String(cause.code) : ""
  return code.startsWith("57") || code === "ECONNRESET" || code === "EPIPE" || /terminated|closed/i.test(cause.message)
}

const isOver = (cause: Cause.Cause<unknown>): boolean => {
  const defects = [...Cause.defects(cause)]
  return defects.length > 0 && defects.every(isBroken)
}

/** How many lists were disturbed, by what. */
export const counted = ({ _tag }: Disturbance): string => `lists disturbed by ${_tag.toLowerCase()}`
