import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Layer } from "effect"
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as RunMark from "../../../layers/server/internal/RunMark.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "run-mark-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Runs a program with a mark in the folder; returns the reports of its start, and the marks while it runs. */
const run = (folder: string) =>
  Effect.gen(function* () {
    const reports: Array<string> = []
    const notify = (cause: Cause.Cause<unknown>) => Effect.sync(() => void reports.push(Cause.pretty(cause)))
    const reporters = Layer.mock(Reporters, { notify })
    const marks = yield* Effect.provide(
      Effect.sync(() => readdirSync(folder)),
      Layer.provide(RunMark.layer(folder), reporters)
    )
    return { marks, reports }
  })

describe("the mark of a run", () => {
  it.scoped("is there while the program runs and gone when it stopped", () =>
    Effect.gen(function* () {
      const folder = join(yield* temporary, "runs")
      const { marks, reports } = yield* run(folder)
      expect(marks).toEqual([expect.stringMatching(new RegExp(`^${process.pid}\\b`))])
      expect(reports).toEqual([])
      expect(readdirSync(folder)).toEqual([])
    })
  )

  it.scoped("of a process that no longer exists is reported by the next run, once", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      writeFileSync(join(folder, "4194999-00000000-1"), "")
      writeFileSync(join(folder, "notes.txt"), "")
      expect((yield* run(folder)).reports).toEqual([expect.stringContaining("4194999")])
      expect((yield* run(folder)).reports).toEqual([])
      expect(readdirSync(folder)).toEqual(["notes.txt"])
    })
  )

  it.scoped("that cannot be written does not keep the program from running", () =>
    Effect.gen(function* () {
      const file = join(yield* temporary, "file")
      writeFileSync(file, "")
      const layer = Layer.provide(RunMark.layer(join(file, "runs")), Layer.mock(Reporters, {}))
      expect(yield* Effect.provide(Effect.succeed("running"), layer)).toBe("running")
    })
  )
})
