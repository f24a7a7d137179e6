import { expect, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as FileExceptionLog from "../../../layers/errors/internal/FileExceptionLog.ts"
import * as RotatedFile from "../../../layers/errors/internal/RotatedFile.ts"

it.effect("a log that is not there has no exceptions, and one that cannot be read is a failure", () =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "log-"))
    const path = join(folder, "exceptions.log")
    expect(yield* FileExceptionLog.groups(path)).toEqual([])
    expect(yield* FileExceptionLog.groups(join(folder, "logs", "exceptions.log"))).toEqual([])
    // For root, too, a folder is no file and a file is no folder.
    mkdirSync(path)
    writeFileSync(join(folder, "logs"), "")
    for (const unreadable of [path, join(folder, "logs", "exceptions.log")]) {
      const cause = yield* Effect.flip(Effect.sandbox(FileExceptionLog.groups(unreadable)))
      expect(Cause.squash(cause)).toMatchObject({ code: expect.stringMatching(/^(?:EISDIR|ENOTDIR)$/) })
    }
  })
)

it.effect("counts every line of a log that is rotated while it is read", () =>
  Effect.gen(function* () {
    const path = join(mkdtempSync(join(tmpdir(), "log-")), "exceptions.log")
    // Each line fills a file, and none is removed.
    const append = (fingerprint: string) => {
      const timestamp = "2026-01-05T10:00:00.000Z"
      const line = JSON.stringify({ timestamp, class: "Error", message: "The kettle is empty", fingerprint })
      RotatedFile.append({ path, size: 1, keep: 100 }, `${line}\n`)
    }
    for (let index = 0; index < 20; index++) append("before")
    let left = 60
    const rotate = (): void => {
      append("meanwhile")
      if (--left > 0) setImmediate(rotate)
    }
    setImmediate(rotate)
    const groups = yield* FileExceptionLog.groups(path)
    left = 0
    expect(groups.find(({ fingerprint }) => fingerprint === "before")?.count).toBe(20)
  })
)
