// Pages of a million rows by their number, and a page with what belongs to its rows.
import { SqlClient } from "@effect/sql"
import { Effect } from "effect"
import * as SqlRepository from "../../layers/pagination/SqlRepository.ts"
import type * as Pagination from "../../src/pagination/Pagination.ts"
import * as Relation from "../../src/pagination/Relation.ts"
import type { Row } from "../Row.ts"
import { type Engine, forgetful } from "./Engines.ts"
import { Entry, Note, Owner } from "./Entries.ts"
import { all, asked, cursorOf, lists, row, rowAt, type Size } from "./EntryLists.ts"
import * as HandWritten from "./HandWritten.ts"
import { turns } from "./Timing.ts"

// The tenth page of a million rows, counted in each way; the bar is in milliseconds.
export const pages = ({ name: engine }: Engine, { runs }: Size) =>
  Effect.gen(function* () {
    const entries = yield* Effect.provide(SqlRepository.make(Entry), forgetful)
    const filtered = all.filter("owner_id", "less", 60).order("Asc", "id")
    const rows: Array<Row> = []
    for (const [name, list] of Object.entries({ "all rows": lists["mixed directions"], "a filter": filtered })) {
      const read = (counting: Pagination.Counting) => entries.paginate(list, asked({ page: 10, counting }))
      const [exact] = yield* turns([read("exact")], 5)
      for (const counting of ["capped", "estimated", "none"] as const) {
        const [times = []] = yield* turns([read(counting)], runs)
        const measured = row(`${engine}, page 10 of ${name}, total ${counting}`, times, exact, 5)
        rows.push({ ...measured, ratio: measured.ours })
      }
    }
    return rows
  })

// Ten rows with their owners and their notes, against three statements that were written by hand.
export const relations = (engine: Engine, { runs, total }: Size) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const related = { owner: Relation.one(Owner, "owner_id"), notes: Relation.many(Note, "entry_id") }
    const entries = yield* Effect.provide(SqlRepository.make(Entry, related), forgetful)
    const cursor = cursorOf("one column", yield* rowAt("one column", total / 2))
    const byHand = Effect.gen(function* () {
      const { items } = yield* HandWritten.page(engine, HandWritten.byKey, ["id"], cursor)
      const page = items.map((item) =>
        Object.assign({ id: Number(item["id"]), owner_id: Number(item["owner_id"]) }, item)
      )
      const owners = sql<{ id: number }>`SELECT id, name FROM owners WHERE ${sql.in(
        "id",
        page.map((row) => row.owner_id)
      )}`
      const notes = sql<{ entry_id: number }>`SELECT id, entry_id, text FROM notes
        WHERE ${sql.in(
          "entry_id",
          page.map((row) => row.id)
        )} ORDER BY id`
      const [found, all] = yield* Effect.all([owners, notes], { concurrency: engine.name === "SQLite" ? 1 : 2 })
      const byId = new Map(found.map((owner) => [owner.id, owner]))
      const byEntry = new Map<number, Array<object>>(page.map((row) => [row.id, []]))
      for (const note of all) byEntry.get(note.entry_id)?.push(note)
      return page.map((row) => Object.assign(row, { owner: byId.get(row.owner_id), notes: byEntry.get(row.id) }))
    })
    const ours = entries.paginate(lists["one column"], asked({ cursor }))
    const [mine, hand] = yield* turns([ours, byHand], runs)
    return [row(`${engine.name}, a page with an owner and notes / SQL by hand`, mine, hand, 1.3)]
  })
