// `effect-framework build` on a small program: what it writes, and that this runs without the packages that it contains.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { outputOf } from "../../app/Bundle.ts"
import { bundle } from "../support/Bundle.ts"
import { folder, root, start } from "../support/Demo.ts"

const main = `
import * as Chunk from "effect/Chunk"
import leaves from "leaves"
import { steep } from "./steep.ts"

const later = await import("./later.ts")
const missing = await import("pg").catch((error: Error) => error.message.replace(/ imported.*/, ""))
console.log([...Chunk.of(leaves), steep(3), later.cup, missing].join(", "))
`

const project = Effect.gen(function* () {
  const path = realpathSync(yield* folder)
  const save = (name: string, text: string) => {
    mkdirSync(join(path, name, ".."), { recursive: true })
    writeFileSync(join(path, name), text)
  }
  save("package.json", `{ "type": "module" }`)
  save("src/main.ts", main)
  save("src/steep.ts", "export const steep = (minutes: number): string => `${minutes} minutes`")
  save("src/later.ts", `export const cup: string = "a cup"`)
  save("node_modules/leaves/package.json", `{ "name": "leaves", "main": "leaves.cjs" }`)
  // It needs node's own modules by \`require\`, as many packages do.
  save("node_modules/leaves/leaves.cjs", `module.exports = require("node:path").basename("tea/assam")`)
  for (const name of ["effect", "esbuild"])
    symlinkSync(join(root, "node_modules", name), join(path, "node_modules", name))
  const build = (...words: ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const building = yield* start([bundle("../../create/main.ts"), "build", ...words], {}, path)
      const { code } = yield* building.ended
      return { code, said: building.output().stderr }
    })
  const written = () => readdirSync(join(path, "dist")).sort()
  return { path, save, build, written }
})

const text = (path: string): string =>
  readdirSync(join(path, "dist"))
    .filter((name) => name.endsWith(".js"))
    .map((name) => readFileSync(join(path, "dist", name), "utf8"))
    .join("\n")

describe("effect-framework build", () => {
  it.scopedLive(
    "writes a program that contains its packages, and leaves out an optional one that is not installed",
    () =>
      Effect.gen(function* () {
        const { build, path, written } = yield* project
        expect(yield* build()).toEqual({ code: 0, said: "" })
        expect(written()).toEqual(expect.arrayContaining(["main.js", "main.js.map", "main.js.places"]))
        expect(written().some((name) => name.startsWith("later-"))).toBe(true)
        const elsewhere = join(path, "elsewhere")
        mkdirSync(elsewhere)
        symlinkSync(join(path, "dist"), join(elsewhere, "dist"))
        const running = yield* start(["--preserve-symlinks-main", join(elsewhere, "dist", "main.js")], {}, elsewhere)
        yield* running.ended
        expect(running.output().stdout).toBe("assam, 3 minutes, a cup, Cannot find package 'pg'\n")
      })
  )

  it.scopedLive("leaves no part of an earlier build, and touches nothing else in dist", () =>
    Effect.gen(function* () {
      const { build, path, save, written } = yield* project
      yield* build()
      const before = written()
      save("dist/notes.txt", "mine")
      save("src/later.ts", `export const cup: string = "a larger cup"`)
      yield* build()
      const parts = (names: ReadonlyArray<string>) => names.filter((name) => name.startsWith("later-"))
      expect(parts(written())).toHaveLength(parts(before).length)
      expect(parts(written())).not.toEqual(parts(before))
      expect(existsSync(join(path, "dist", "notes.txt"))).toBe(true)
    })
  )

  it.scopedLive("leaves out what it is told to", () =>
    Effect.gen(function* () {
      const { build, path } = yield* project
      yield* build()
      expect(text(path)).toContain("tea/assam")
      yield* build("--external", "leaves")
      expect(text(path)).not.toContain("tea/assam")
    })
  )

  it.scopedLive("keeps of a module that a package exports as a namespace only what is used", () =>
    Effect.gen(function* () {
      const { build, path, save } = yield* project
      const index = `export * as Tea from "./Tea.js"\nexport * as Milk from "./Milk.js"\nexport const sugar = "sugar"\n`
      const tea = `export const assam = "assam"\nexport const pekoe = "pekoe"\n`
      const pack = (name: string, manifest: object, indexed: string) => {
        save(`node_modules/${name}/package.json`, JSON.stringify({ name, type: "module", ...manifest }))
        save(`node_modules/${name}/index.js`, indexed)
        save(`node_modules/${name}/Tea.js`, tea)
        save(`node_modules/${name}/Milk.js`, `export const oat = "oat"\n`)
      }
      pack("pure", { sideEffects: false }, index)
      pack("loud", {}, `${index}console.log("loud")\n`)
      save(
        "src/main.ts",
        [
          "// Imports as people write them.",
          `import { Tea, sugar, type Milk as Kind } from "pure"`,
          "import {",
          "  Milk as White,",
          "} from 'pure'",
          `import { Tea as Loud } from "loud"`,
          "const text = `",
          `import { Tea } from "pure"`,
          "`",
          "const kind: keyof typeof Kind = 'oat'",
          "const at = new Error().stack?.split('\\n')[1]?.replace(/.*main/, 'main')",
          "console.log(JSON.stringify([Tea.assam, sugar, White[kind], Loud.pekoe, text, at]))"
        ].join("\n")
      )
      expect(yield* build()).toEqual({ code: 0, said: "" })
      const running = yield* start(["--enable-source-maps", join(path, "dist", "main.js")], {}, path)
      yield* running.ended
      const [first, second = ""] = running.output().stdout.split("\n")
      expect(first).toBe("loud")
      const said = ["assam", "sugar", "oat", "pekoe", `\nimport { Tea } from "pure"\n`, "main.ts:11:12)"]
      expect(JSON.parse(second)).toEqual(said)
      const bundled = text(path)
      expect(bundled.match(/"pekoe"/g)).toHaveLength(1)
      expect(bundled.match(/"assam"/g)).toHaveLength(2)
    })
  )

  it.scopedLive(
    "imports what the program means also where an index is commented, a module is CommonJS or a script is a text",
    () =>
      Effect.gen(function* () {
        const { build, path, save } = yield* project
        save("package.json", "{}")
        save("node_modules/pure/package.json", `{ "type": "module", "main": "index.js", "sideEffects": false }`)
        save(
          "node_modules/pure/index.js",
          `export * as Tea from "./Tea.js"\n/*\nexport * as Tea from "./Old.js"\n*/\nexport * as Milk from "./Milk.cjs"\n`
        )
        save("node_modules/pure/Tea.js", `export const leaf = "assam"`)
        save("node_modules/pure/Old.js", `export const leaf = "withered"`)
        save("node_modules/pure/Milk.cjs", `exports.__esModule = true\nexports.default = "curdled"`)
        save("src/text.ts", `import { Tea } from "pure"`)
        save(
          "src/main.ts",
          [
            `import text from "./text.ts" with { type: "text" }`,
            `import data from "data:text/javascript,export default 'data'//a.js"`,
            `import { Milk, Tea } from "pure"`,
            "console.log(JSON.stringify([Tea.leaf, Milk.default, text, data]))"
          ].join("\n")
        )
        expect(yield* build()).toEqual({ code: 0, said: "" })
        const running = yield* start([join(path, "dist", "main.js")], {}, path)
        yield* running.ended
        const milk = { __esModule: true, default: "curdled" }
        expect(running.output().stdout).toBe(
          `${JSON.stringify(["assam", milk, `import { Tea } from "pure"`, "data"])}\n`
        )
      })
  )

  it.scopedLive("prints what cannot be built, and ends with status 1", () =>
    Effect.gen(function* () {
      const { build, save } = yield* project
      save("src/main.ts", `import "./nowhere.ts"`)
      expect(yield* build()).toEqual({ code: 1, said: expect.stringContaining("nowhere.ts") })
      expect(yield* build("--colour")).toEqual({ code: 2, said: expect.stringContaining("--colour") })
    })
  )

  it("writes each program to its own folder", () => {
    expect(
      ["src/main.ts", "src/web/main.ts", "demo/main.ts", "main.ts"].map((entry) => outputOf("/tea", entry))
    ).toEqual(["/tea/dist", "/tea/dist/web", "/tea/dist/demo", "/tea/dist"])
  })
})
