import { expect, it } from "@effect/vitest"
import { Cause, Effect } from "effect"
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as FileExceptionLog from "../../../layers/errors/internal/FileExceptionLog.ts"

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
