// `export` as a real process: what it writes, what it refuses, and what is left when it is stopped.
import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describeDatabases, sqlite, TestDatabase, type TestEngine } from "../../support/Databases.ts"
import * as Demo from "../../support/Demo.ts"
import { eventually } from "../../support/Eventually.ts"

// Far more than the heap of the process holds, and than a pipe does.
const heap = 64
const many = 10_000
const letters = 8_000

const environment = Effect.gen(function* () {
  const { url } = yield* TestDatabase
  return { STORAGE_DIR: yield* Demo.folder, DATABASE_URL: url }
})

const start = Effect.fnUntraced(function* (...words: ReadonlyArray<string>) {
  return yield* Demo.start([`--max-old-space-size=${heap}`, ...Demo.command(...words)], yield* environment)
})

const run = Effect.fnUntraced(function* (...words: ReadonlyArray<string>) {
  const process = yield* start(...words)
  const { code } = yield* process.ended
  return { code, ...process.output() }
})

const filled = Effect.gen(function* () {
  expect((yield* run("migrate")).code).toBe(0)
  const sql = yield* SqlClient.SqlClient
  yield* sql`INSERT INTO authors (id, name) VALUES (1, '=1+1'), (2, 'Ann "A", B'), (3, '')`
})

const addArticles = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const text = "x".repeat(letters)
  const moment = sql.onDialectOrElse({ pg: () => sql`TIMESTAMPTZ`, orElse: () => sql`TEXT` })
  yield* sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${sql.literal(String(many))})
    INSERT INTO articles (id, title, summary, published_at, author_id)
    SELECT i, 'title', ${text}, CAST('2024-02-29T12:00:00.000001Z' AS ${moment}), 2 FROM n`
})

/** The status and the output of a shell. */
const shell = Effect.fnUntraced(function* (script: string, words: ReadonlyArray<string>) {
  const variables = yield* environment
  return yield* Effect.async<{ readonly code: number | null; readonly out: string; readonly error: string }>(
    (resume) => {
      const child = spawn("/bin/sh", ["-c", script, process.execPath, ...Demo.command(...words)], {
        env: { PATH: process.env["PATH"], ...variables },
        stdio: ["ignore", "pipe", "pipe"]
      })
      const written = { out: "", error: "" }
      child.stdout.setEncoding("utf8").on("data", (text: string) => void (written.out += text))
      child.stderr.setEncoding("utf8").on("data", (text: string) => void (written.error += text))
      child.once("close", (code) => resume(Effect.succeed({ code, ...written })))
    }
  )
})

const suite = (database: TestEngine) => {
  it.scopedLive("writes every row to standard output or to a file, and its progress to standard error", () =>
    Effect.gen(function* () {
      yield* filled
      const lines = yield* run("export", "authors")
      expect(lines).toEqual({
        code: 0,
        stdout: '{"id":1,"name":"=1+1"}\n{"id":2,"name":"Ann \\"A\\", B"}\n{"id":3,"name":""}\n',
        stderr: "authors: 0 rows exported\nauthors: 3 rows exported\n"
      })
      const table = yield* run("export", "authors", "--format", "csv", "--escape-formulas")
      expect(table.stdout).toBe('id,name\r\n1,\'=1+1\r\n2,"Ann ""A"", B"\r\n3,""\r\n')
      expect((yield* run("export", "articles", "--format", "csv")).stdout).toBe(
        "id,title,summary,published_at,author_id,author\r\n"
      )

      const folder = yield* Demo.folder
      const path = join(folder, "authors.csv")
      writeFileSync(path, "old")
      const written = yield* run("export", "authors", "--format", "csv", "--output", path)
      expect([written.code, written.stdout]).toEqual([0, ""])
      expect(readFileSync(path, "utf8")).toBe('id,name\r\n1,=1+1\r\n2,"Ann ""A"", B"\r\n3,""\r\n')
      expect(statSync(path).mode & 0o777).toBe(0o600)
      expect(readdirSync(folder)).toEqual(["authors.csv"])
    }).pipe(Effect.provide(database.layer))
  )

  it.scopedLive("keeps its memory, ends quietly with its reader, and leaves no part of a file when it is stopped", () =>
    Effect.gen(function* () {
      yield* filled
      yield* addArticles
      const folder = yield* Demo.folder
      const path = join(folder, "articles.ndjson")
      const whole = yield* run("export", "articles", "--output", path)
      expect([whole.code, whole.stderr]).toEqual([0, expect.stringContaining(`articles: ${many} rows exported\n`)])
      expect(statSync(path).size).toBeGreaterThan(many * letters)

      // The status of the export is its last line on standard error.
      const { code, error, out } = yield* shell('{ "$0" "$@"; echo "status $?" >&2; } | head -1', [
        "export",
        "articles"
      ])
      expect([code, out.split("\n").length, out.slice(0, 9)]).toEqual([0, 2, '{"id":1,"'])
      expect(error.replace(/articles: \d+ rows exported\n/g, "")).toBe("status 0\n")

      writeFileSync(path, "old")
      const stopped = yield* start("export", "articles", "--output", path)
      yield* eventually(
        Effect.sync(() => readdirSync(folder)),
        (names) => names.length === 2
      )
      stopped.signal("SIGTERM")
      yield* stopped.ended
      expect(readdirSync(folder)).toEqual(["articles.ndjson"])
      expect(readFileSync(path, "utf8")).toBe("old")
    }).pipe(Effect.provide(database.layer))
  )
}

describeDatabases("export", suite)

describe("export", () => {
  it.scopedLive("says which collections there are, and where it cannot write", () =>
    Effect.gen(function* () {
      expect(yield* run("export", "users")).toEqual({
        code: 2,
        stdout: "",
        stderr: 'There is no collection "users". The collections are: articles, authors.\n'
      })
      const useless = yield* run("export", "authors", "--escape-formulas")
      expect([useless.code, useless.stderr]).toEqual([2, "--escape-formulas goes with --format csv.\n"])
      const nowhere = yield* run("export", "authors", "--output", join(yield* Demo.folder, "none", "x"))
      expect([nowhere.code, nowhere.stderr]).toEqual([1, expect.stringMatching(/^not exported: .*ENOENT$/m)])
      const device = yield* run("export", "authors", "--output", "/dev/null")
      expect([device.code, device.stderr]).toEqual([
        1,
        expect.stringContaining("not exported: /dev/null is not a file")
      ])
    }).pipe(Effect.provide(sqlite.layer))
  )
})
