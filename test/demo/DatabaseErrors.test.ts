// An error of the database in the bundled program: the log and the developer's JSON name the statement and a source file.
import { describe, expect, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Demo from "../support/Demo.ts"
import { eventually } from "../support/Eventually.ts"

const logged = (storage: string): ReadonlyArray<Record<string, unknown>> => {
  const path = join(storage, "logs", "exceptions.log")
  if (!existsSync(path)) return []
  // Without what comes after the last line break: a line that is still being written.
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1)
  return lines.map((line) => JSON.parse(line))
}

describe("the bundled demo", () => {
  it.scopedLive(
    "names the statement and the file that a person wrote when a table is gone",
    () =>
      Effect.gen(function* () {
        const demo = yield* Demo.demo({ FRAMEWORK_ENVIRONMENT: "development" })
        const database = new Sqlite(join(demo.storage, "demo.sqlite"))
        database.exec("ALTER TABLE articles RENAME TO gone")
        database.close()
        const response = yield* Effect.promise(() =>
          fetch(`${demo.url}/articles?page=2`, { headers: { accept: "application/json" } })
        )
        const details: unknown = yield* Effect.promise(() => response.json())
        expect(response.status).toBe(500)
        const place = {
          file: expect.stringMatching(/\/(?:layers|demo)\/[\w/]+\.ts$/),
          statement: expect.stringMatching(/\barticles\b/)
        }
        expect(details).toMatchObject({ error: "SqlError", ...place })
        const [line] = yield* eventually(
          Effect.sync(() => logged(demo.storage)),
          (lines) => lines.length > 0
        )
        expect(line).toMatchObject({ class: "SqlError", uri: "/articles", ...place })
        expect(line?.["file"]).toBe(Reflect.get(Object(details), "file"))
        expect(existsSync(String(line?.["file"]))).toBe(true)
      }),
    240_000
  )
})
