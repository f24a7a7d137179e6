// Pages of lists beside the bare driver with statements that are prepared once: the time of the processor for each page. A
// program of its own, since a list is not measured as it runs from its sources. Prints its rows.
import type { SqlClient } from "@effect/sql"
import { Effect, Runtime } from "effect"
import * as SqlRepository from "../../layers/pagination/SqlRepository.ts"
import * as Keyset from "../../src/pagination/internal/query/Keyset.ts"
import * as Relation from "../../src/pagination/Relation.ts"
import { take } from "../Rounds.ts"
import type { Row } from "../Row.ts"
import { type Engine, forgetful, on } from "./Engines.ts"
import { Entry, fill, Note, Owner } from "./Entries.ts"
import { asked, cursorOf, lists, type Name, names, rowAt } from "./EntryLists.ts"
import * as HandWritten from "./HandWritten.ts"

interface Size {
  readonly total: number
  /** Pages that are read for one figure. */
  readonly pages: number
  readonly rounds: number
}

interface Statement {
  readonly text: string
  readonly values: ReadonlyArray<string>
}

/** The driver: what one writes around a statement, the cursor and the rows that belong to a page included. */
interface Driver {
  readonly page: (statement: Statement, columns: ReadonlyArray<string>) => (cursor: string) => Promise<unknown>
  /** With the owner and the notes of each row. */
  readonly related: (cursor: string) => Promise<unknown>
  readonly close: () => Promise<void>
}

// A module of its own, without types: it is what a program without a framework has.
const open = async (engine: Engine): Promise<Driver> => {
  const path = process.argv[2] ?? ""
  const { open } = (await import(path)) as { readonly open: (engine: Engine) => Promise<Driver> }
  return open(engine)
}

const bars = { SQLite: 1.5, PostgreSQL: 1.3 } as const

const measureOne = (
  engine: Engine,
  { pages, rounds, total }: Size
): Effect.Effect<ReadonlyArray<Row>, unknown, SqlClient.SqlClient> =>
  Effect.acquireUseRelease(
    Effect.promise(() => open(engine)),
    (driver) =>
      Effect.gen(function* () {
        const run = Runtime.runPromise(yield* Effect.runtime<SqlClient.SqlClient>())
        const plain = yield* Effect.provide(SqlRepository.make(Entry), forgetful)
        const relations = { owner: Relation.one(Owner, "owner_id"), notes: Relation.many(Note, "entry_id") }
        const related = yield* Effect.provide(SqlRepository.make(Entry, relations), forgetful)
        const rows: Array<Row> = []
        const compare = (
          subject: string,
          list: Name,
          cursor: string,
          entries: typeof plain | typeof related,
          theirs: ReadonlyArray<(cursor: string) => Promise<unknown>>
        ) =>
          Effect.promise(async () => {
            const part = asked({ cursor })
            const page = entries.paginate(lists[list], part)
            // In one fiber, as a request has one already.
            const ours = processorTime(pages, () => run(Effect.repeatN(page, pages - 1)))
            const peers = theirs.map((page, index) => {
              const read = async () => {
                for (let done = 0; done < pages; done++) await page(cursor)
              }
              return [`peer ${index}`, processorTime(pages, read)] as const
            })
            const takes = Object.fromEntries([["ours", ours] as const, ...peers])
            // Until the code is compiled.
            await take(takes, 12)
            const taken = await take(takes, rounds)
            const [peer = ""] = peers.map(([name]) => name).toSorted((one, other) => taken.of(one) - taken.of(other))
            rows.push({
              subject: `${engine.name}, ${subject} / the bare driver`,
              ours: taken.of("ours"),
              peer: taken.of(peer),
              unit: "µs",
              ratio: taken.ratio("ours", peer),
              bar: bars[engine.name],
              better: "lower"
            })
          })
        for (const name of names) {
          const at = yield* rowAt(name, total / 2)
          const columns = Keyset.orders(lists[name]).map(({ column }) => column)
          const isNull = name === "nulls last" && at["due"] === null
          const written = isNull ? [HandWritten.afterNull] : HandWritten.statements[name]
          const theirs = written.map((one) => {
            const { text, values } = engine.name === "SQLite" ? HandWritten.unnumbered(one) : one
            const places = values(Object.fromEntries(columns.map((column) => [column, column]))).map(String)
            return driver.page({ text, values: places }, columns)
          })
          yield* compare(`${name}: page at 50 %`, name, cursorOf(name, at), plain, theirs)
        }
        const cursor = cursorOf("one column", yield* rowAt("one column", total / 2))
        yield* compare("a page with an owner and notes", "one column", cursor, related, [driver.related])
        return rows
      }),
    (driver) => Effect.promise(() => driver.close())
  )

// Microseconds of the processor for each page: a busy machine must not look like a slow list.
const processorTime = (pages: number, read: () => Promise<unknown>) => async (): Promise<number> => {
  const start = process.cpuUsage()
  await read()
  const { system, user } = process.cpuUsage(start)
  return (system + user) / pages
}

const size: Size = process.argv.includes("--quick")
  ? { total: 100_000, pages: 200, rounds: 15 }
  : { total: 1_000_000, pages: 500, rounds: 41 }
const name = process.argv.includes("SQLite") ? "SQLite" : "PostgreSQL"
const rows = await on(name, (engine) => Effect.zipRight(fill(size.total), measureOne(engine, size)))
process.stdout.write(JSON.stringify(rows))
