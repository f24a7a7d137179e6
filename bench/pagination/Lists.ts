// Lists of a million rows beside statements that were written by hand, beside Kysely's cursor helper, and in page mode.
import { Effect } from "effect"
import * as SqlRepository from "../../layers/pagination/SqlRepository.ts"
import * as Keyset from "../../src/pagination/internal/query/Keyset.ts"
import type { Options } from "../Options.ts"
import { median } from "../Rounds.ts"
import type { Row } from "../Row.ts"
import { type Engine, forgetful, onBoth } from "./Engines.ts"
import { Entry, fill } from "./Entries.ts"
import { asked, cursorOf, lists, names, row, rowAt, type Size } from "./EntryLists.ts"
import * as HandWritten from "./HandWritten.ts"
import { pages, relations } from "./Pages.ts"
import { turns } from "./Timing.ts"

// Near the start, in the middle and near the end.
const depths = [0.001, 0.5, 0.999]

interface Peer {
  readonly page: (table: string, orders: ReadonlyArray<object>, after: string) => Promise<{ readonly rows: unknown }>
  readonly close: () => Promise<void>
}

// Not a dependency of the framework: the measurements have a folder of packages of their own.
const kysely = async (engine: Engine): Promise<Peer> => {
  const path = "./Kysely.mjs"
  const { open } = (await import(path)) as { readonly open: (engine: Engine) => Peer }
  return open(engine)
}

// Every list at every depth, against the fastest statement that was written by hand.
const byHand = (engine: Engine, { runs, total }: Size) =>
  Effect.gen(function* () {
    const entries = yield* Effect.provide(SqlRepository.make(Entry), forgetful)
    const rows: Array<Row> = []
    for (const name of names) {
      for (const depth of depths) {
        const at = yield* rowAt(name, total * depth)
        const isNull = name === "nulls last" && at["due"] === null
        const cursor = cursorOf(name, at)
        const columns = Keyset.orders(lists[name]).map(({ column }) => column)
        const written = (isNull ? [HandWritten.afterNull] : HandWritten.statements[name]).map((statement) =>
          HandWritten.page(engine, statement, columns, cursor)
        )
        const ours = entries.paginate(lists[name], asked({ cursor }))
        const [mine, ...hands] = yield* turns([ours, ...written], runs)
        const [fastest] = hands.toSorted((one, other) => median(one) - median(other))
        const place = `${(depth * 100).toLocaleString("en")} %`
        rows.push(row(`${engine.name}, ${name}: page at ${place} / SQL by hand`, mine, fastest, 1.3))
      }
    }
    return rows
  })

const besideKysely = (engine: Engine, { runs, total }: Size) =>
  Effect.acquireUseRelease(
    Effect.promise(() => kysely(engine)),
    (peer) =>
      Effect.gen(function* () {
        const entries = yield* Effect.provide(SqlRepository.make(Entry), forgetful)
        const rows: Array<Row> = []
        for (const name of names) {
          // The helper has no place for nulls.
          if (name === "nulls last") continue
          const at = yield* rowAt(name, total / 2)
          const orders = Keyset.orders(lists[name])
          const values = new URLSearchParams(
            Object.fromEntries(orders.map(({ column }) => [column, String(at[column])]))
          )
          const after = Buffer.from(values.toString()).toString("base64url")
          const theirs = Effect.promise(() => peer.page("entries", orders, after))
          const ours = entries.paginate(lists[name], asked({ cursor: cursorOf(name, at) }))
          const [mine, other] = yield* turns([ours, theirs], Math.min(runs, 60))
          rows.push(row(`${engine.name}, ${name}: page at 50 % / kysely-paginate`, mine, other))
        }
        return rows
      }),
    (peer) => Effect.promise(() => peer.close())
  )

/** Needs about two minutes and a gigabyte of disk. */
export const measure = ({ quick }: Options): Promise<ReadonlyArray<Row>> => {
  const size: Size = quick ? { total: 100_000, runs: 100 } : { total: 1_000_000, runs: 400 }
  return onBoth((engine) =>
    Effect.zipRight(
      fill(size.total),
      Effect.map(
        Effect.all([byHand(engine, size), relations(engine, size), pages(engine, size), besideKysely(engine, size)]),
        (rows) => rows.flat()
      )
    )
  )
}
