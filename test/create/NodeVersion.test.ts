// Whatever runs under a Node.js that is too old says so, and loads nothing that could fail first.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { problem, minimum } from "../../create/NodeVersion.ts"
import { manifest } from "../../create/Package.ts"
import * as Demo from "../support/Demo.ts"

const lie = (node: string) => {
  const text = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${node}" } })`
  return ["--import", `data:text/javascript,${encodeURIComponent(text)}`]
}

// tsx believes the version and uses what newer ones warn of.
const from = (source: string) => ["--disable-warning=DEP0205", "--import", "tsx", source]

const programs: Readonly<Record<string, () => ReadonlyArray<string>>> = {
  "the built demo": () => Demo.main(),
  "a built command": () => Demo.command("migrate"),
  "the demo from its sources": () => from("demo/main.ts"),
  "effect-framework": () => from("create/main.ts")
}

describe("the oldest Node.js that will do", () => {
  it("is the one that the package asks for", () => {
    expect(manifest.engines.node).toBe(`>=${minimum}`)
  })

  it.each(["16.20.0", "18.20.8", "20.18.3"])("is newer than %s", (node) => {
    expect(problem(node)).toBe(`Node.js 20.19 or later is needed; this is ${node}.`)
  })

  it.each(["20.19.0", "20.20.2", "22.0.0", "24.1.0"])("is not newer than %s", (node) => {
    expect(problem(node)).toBeUndefined()
  })

  it.scopedLive.each(Object.keys(programs))("is asked for by %s, in one line and with status 1", (name) =>
    Effect.gen(function* () {
      const started = yield* Demo.start([...lie("18.20.8"), ...(programs[name]?.() ?? [])], {
        STORAGE_DIR: yield* Demo.folder
      })
      expect(yield* started.ended).toEqual({ code: 1, signal: null })
      expect(started.output()).toEqual({ stdout: "", stderr: `${problem("18.20.8")}\n` })
    })
  )

  it.each(["demo/main.ts", "create/main.ts", "create/create.ts"])(
    "is all that %s needs before it is asked for",
    (path) => {
      const imported = readFileSync(join(Demo.root, path), "utf8").matchAll(/^import .* from "(.*)"$/gm)
      expect(Array.from(imported, ([, name]) => name)).toEqual([expect.stringMatching(/\/NodeVersion\.ts$/)])
    }
  )
})
