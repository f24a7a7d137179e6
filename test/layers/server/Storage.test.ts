import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Storage from "../../../layers/server/internal/Storage.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "storage-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

describe("the storage folder", () => {
  it.scoped("is created private to its owner, with its parents, and may exist", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporary, "var", "storage")
      yield* Storage.prepare(folder)
      yield* Storage.prepare(folder)
      expect((statSync(folder).mode & 0o777).toString(8)).toBe("700")
    })
  )

  it.scoped("fails with the variable and the reason when it cannot be used", () =>
    Effect.gen(function* () {
      const file = join(yield* temporary, "file")
      writeFileSync(file, "")
      const reasonOf = (folder: string) => Effect.map(Effect.flip(Storage.prepare(folder)), ({ reason }) => reason)
      expect(yield* reasonOf(file)).toBe(`STORAGE_DIR ${file} cannot be used: it is a file, not a folder`)
      const below = join(file, "storage")
      expect(yield* reasonOf(below)).toBe(`STORAGE_DIR ${below} cannot be used: a part of the path is a file`)
    })
  )

  it("has one folder for each kind of file", () => {
    const { exceptions, mails, metrics, runs, uploads } = Storage
    expect([exceptions, mails, metrics, runs, uploads].map((pathIn) => pathIn("/s"))).toEqual([
      "/s/logs/exceptions.log",
      "/s/mails",
      "/s/metrics",
      "/s/runs",
      "/s/uploads"
    ])
  })
})
