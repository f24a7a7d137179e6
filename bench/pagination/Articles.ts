// The whole request for a page of the demo's articles: beside the same by hand on both databases, and beside the smallest
// response of node:http.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import * as InTurn from "../load/InTurn.ts"
import { effort, type Options } from "../Options.ts"
import * as Postgres from "../Postgres.ts"
import { compared } from "../Rounds.ts"
import type { Row } from "../Row.ts"
import * as ManyArticles from "./ManyArticles.ts"

const here = (name: string) => join(import.meta.dirname, name)

export const measure = async ({ rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-articles-"))
  const program = await Built.bundle("bench/server/Program.ts")
  const postgres = await Postgres.start()
  const { serve, stop } = Load.servers()
  const requests = InTurn.file(ManyArticles.paths.map((path) => ({ path })))
  const [path = ""] = ManyArticles.paths
  // Ours and the same by hand on one database, which respond with the same.
  const both = async (name: string, database: string) => {
    const env = { DATABASE_URL: database }
    const ours = await serve([program], { ...env, PORT: "0", STORAGE_DIR: join(storage, name) })
    await ManyArticles.fill(database)
    const hand = await serve([here("HandWrittenArticles.mjs")], env)
    for (const one of [path, "/articles?cursor=&limit=3"]) {
      await Load.same({ url: ours.url + one }, { url: hand.url + one })
    }
    return { ours: { url: ours.url, requests }, hand: { url: hand.url, requests } }
  }
  try {
    const sqlite = await both("sqlite", `file:${join(storage, "articles.sqlite")}`)
    const onPostgres = await both("postgres", await postgres.create("articles"))
    const remembered = await serve([program], { PORT: "0", STORAGE_DIR: join(storage, "remembered") })
    const bare = await serve([here("../server/Bare.mjs")])
    const targets = {
      sqlite: sqlite.ours,
      sqliteHand: sqlite.hand,
      postgres: onPostgres.ours,
      postgresHand: onPostgres.hand,
      first: { url: `${remembered.url}/articles?cursor=` },
      next: { url: `${remembered.url}${path}` },
      page: { url: `${remembered.url}/articles` },
      bare: { url: `${bare.url}/hello` }
    }
    const rates = await Load.alternate(targets, rounds("articles"), effort)
    const row = (subject: string, mine: keyof typeof targets, peer: keyof typeof targets, bar?: number): Row => ({
      subject,
      ...compared(rates, mine, peer),
      unit: "responses/s",
      bar
    })
    return [
      row("/articles, distinct cursors, SQLite / by hand", "sqlite", "sqliteHand", 0.6),
      row("/articles, distinct cursors, PostgreSQL / by hand", "postgres", "postgresHand", 0.6),
      row("/articles, distinct cursors, SQLite / bare node:http", "sqlite", "bare"),
      row("/articles, distinct cursors, PostgreSQL / bare node:http", "postgres", "bare"),
      row("/articles?cursor= at its start, remembered / bare node:http", "first", "bare", 0.3),
      row("/articles?cursor= further on, remembered / bare node:http", "next", "bare", 0.3),
      row("/articles by page, with its count, remembered / bare node:http", "page", "bare")
    ]
  } finally {
    await stop()
    await postgres.stop()
    rmSync(storage, { recursive: true, force: true })
  }
}
