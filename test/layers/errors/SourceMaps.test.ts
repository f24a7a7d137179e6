import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { transformSync } from "esbuild"
import { renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as SourceMapFile from "../../../layers/errors/internal/SourceMapFile.ts"
import * as SourceMaps from "../../../layers/errors/internal/SourceMaps.ts"
import type { Place } from "../../../src/errors/Sources.ts"
import { folder } from "../../support/Demo.ts"

const source = "interface A {\n  a: 1\n}\n\nexport const fail = (): A => {\n  throw new Error('x')\n}\n"
const inline = transformSync(source, { loader: "ts", sourcemap: "inline", sourcefile: "a.ts" }).code

/** Where the built code throws. */
const thrown = (file: string, code: string) => {
  const before = code.slice(0, code.indexOf("throw")).split("\n")
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** The place once the map of its file is open. */
const located = (maps: SourceMaps.SourceMaps, place: Place) =>
  Effect.promise(async () => {
    maps.locate(place)
    await maps.opening()
    return maps.locate(place)
  })

describe("source maps", () => {
  it.scopedLive("lead to the line of the source and its text", () =>
    Effect.gen(function* () {
      const project = yield* folder
      const built = join(project, "a.js")
      writeFileSync(built, inline)
      const maps = SourceMaps.make(() => true)
      const place = thrown(built, inline)
      expect(maps.locate(place)).toBe(place)
      expect(yield* located(maps, place)).toEqual({ file: join(project, "a.ts"), line: 6, column: 3 })
      const original = maps.original(join(project, "a.ts"))
      expect([original?.built, original?.text()]).toEqual([built, source])
    })
  )

  it.scopedLive("are read in a thread: the event loop turns meanwhile", () =>
    Effect.gen(function* () {
      const project = yield* folder
      const built = join(project, "large.js")
      writeFileSync(built, "throw 1\n//# sourceMappingURL=large.js.map\n")
      // As large as that of a bundled program: most of a second to read.
      const mappings = "AAAA" + ",CAAC".repeat(2_000_000)
      writeFileSync(`${built}.map`, JSON.stringify({ version: 3, sources: ["large.ts"], names: [], mappings }))
      const maps = SourceMaps.make(() => true)
      const place = { file: built, line: 1, column: 1 }
      expect(maps.locate(place)).toBe(place)
      const opening = maps.opening()?.then(() => "open" as const)
      let turns = 0
      const turn = () => new Promise<"turn">((resolve) => void setTimeout(resolve, 1, "turn"))
      while ((yield* Effect.promise(() => Promise.race([opening, turn()]))) === "turn") turns++
      expect(turns).toBeGreaterThan(10)
      expect(maps.locate(place)).toEqual({ file: join(project, "large.ts"), line: 1, column: 1 })
    })
  )

  it.scopedLive("are not needed where the build has written their places, wherever it was, until the next build", () =>
    Effect.gen(function* () {
      const [project, other] = [yield* folder, yield* folder]
      const [first, built] = [join(project, "a.js"), join(other, "a.js")]
      writeFileSync(first, inline)
      yield* Effect.promise(() => SourceMapFile.write([first]))
      for (const name of ["a.js", "a.js.places"]) renameSync(join(project, name), join(other, name))
      const place = thrown(built, inline)
      const maps = SourceMaps.make(() => true)
      expect(maps.locate(place)).toEqual({ file: join(other, "a.ts"), line: 6, column: 3 })
      expect(maps.opening()).toBeUndefined()
      expect(maps.original(join(other, "a.ts"))?.text()).toBe(source)
      writeFileSync(built, `\n${inline}`)
      expect(SourceMapFile.read(built)).toBeUndefined()
      writeFileSync(`${built}.places`, "no index")
      expect(SourceMapFile.read(built)).toBeUndefined()
    })
  )

  it.scopedLive("are read neither from a file that may not be read nor from another folder", () =>
    Effect.gen(function* () {
      const project = yield* folder
      const [built, outside] = [join(project, "a.js"), join(project, "b.js")]
      writeFileSync(built, inline)
      writeFileSync(outside, "throw 1\n//# sourceMappingURL=../../etc/a.map\n")
      const place = thrown(built, inline)
      expect(
        yield* located(
          SourceMaps.make(() => false),
          place
        )
      ).toBe(place)
      const elsewhere = { file: outside, line: 1, column: 1 }
      expect(
        yield* located(
          SourceMaps.make(() => true),
          elsewhere
        )
      ).toBe(elsewhere)
    })
  )

  it("leave the place in a file that is no built one", () => {
    const place = { file: "/project/a.ts", line: 1, column: 1 }
    expect(SourceMaps.make(() => expect.fail("read")).locate(place)).toBe(place)
  })
})
