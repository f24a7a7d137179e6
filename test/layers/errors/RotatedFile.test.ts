import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as RotatedFile from "../../../layers/errors/internal/RotatedFile.ts"
import { bundle } from "../../support/Bundle.ts"
import { folder, start } from "../../support/Demo.ts"

const numbers = (path: string): ReadonlyArray<number> =>
  readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => Number(/\d+/.exec(JSON.parse(line).message)?.[0]))

describe("a rotated file", () => {
  it.scopedLive("loses and mixes no line when several writers rotate the same file", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const path = join(directory, "exceptions.log")
      const script = bundle("../layers/errors/fixtures/Rotate.ts")
      const writer = (name: number) => Effect.flatMap(start([script, path, String(name)]), ({ ended }) => ended)
      const ends = yield* Effect.all([0, 1, 2, 3].map(writer), { concurrency: "unbounded" })
      expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0])
      const files = readdirSync(directory).filter((name) => !name.endsWith(".lock"))
      const expected = [0, 1, 2, 3].flatMap((name) => Array.from({ length: 60 }, (_, index) => name * 1000 + index))
      expect(files.flatMap((name) => numbers(join(directory, name))).sort((a, b) => a - b)).toEqual(expected)
      expect(files.length).toBeGreaterThan(2)
    })
  )

  it.scopedLive("is written further after a writer died during a rotation", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "exceptions.log")
      writeFileSync(`${path}.lock`, "1")
      RotatedFile.append({ path, size: 10, keep: 1 }, "long enough\n")
      expect(readFileSync(path, "utf8")).toBe("long enough\n")
    })
  )

  it.scopedLive("is tried again for a missing folder only, since another failure may have written a part", () =>
    Effect.gen(function* () {
      const directory = yield* folder
      const file = join(directory, "file")
      writeFileSync(file, "")
      const tried = (path: string) => Effect.try(() => RotatedFile.append({ path, size: 100, keep: 1 }, "line\n"))
      yield* tried(join(directory, "made", "here", "a.log"))
      expect(readFileSync(join(directory, "made", "here", "a.log"), "utf8")).toBe("line\n")
      const { error } = yield* Effect.flip(tried(join(file, "a.log")))
      expect(error).toMatchObject({ code: "ENOTDIR", syscall: "open" })
    })
  )

  it.scopedLive.each([
    ["a part of a line", '{"mess', '{"mess\nline\n'],
    ["whole lines", "first\n", "first\nline\n"],
    ["nothing", "", "line\n"]
  ])("is resumed after %s", ([, before = "", after = ""]) =>
    Effect.gen(function* () {
      const path = join(yield* folder, "a.log")
      if (before !== "") writeFileSync(path, before)
      RotatedFile.resume({ path, size: 100, keep: 1 }, "line\n")
      expect(readFileSync(path, "utf8")).toBe(after)
    })
  )

  it.scopedLive.each([0, 1, 3])("keeps %s files and the newest lines", (keep) =>
    Effect.gen(function* () {
      const directory = yield* folder
      const path = join(directory, "a.log")
      for (let line = 0; line < 6; line++) {
        RotatedFile.append({ path, size: 1, keep }, `${line}\n`)
      }
      const kept = Array.from({ length: keep }, (_, index) => [`a.log.${index + 1}`, `${5 - index}\n`])
      const files = readdirSync(directory).sort()
      expect(files.map((name) => [name, readFileSync(join(directory, name), "utf8")])).toEqual(kept)
    })
  )
})
