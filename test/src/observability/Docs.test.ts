// The page about observability: each of its programs runs and prints what the page says.
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import * as Family from "../../../src/observability/Family.ts"
import * as Fleet from "../../../src/observability/Fleet.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import { bundleText } from "../../support/Bundle.ts"
import { folder, root } from "../../support/Demo.ts"

const run = promisify(execFile)

const page = readFileSync(join(root, "docs", "observability.md"), "utf8")
const programs = [...page.matchAll(/```ts\n([^]*?)```\s+```text\n([^]*?)```/g)]
const all = [...page.matchAll(/```ts\n([^]*?)```/g)]

const execute = (name: string, code: string) =>
  Effect.gen(function* () {
    const cwd = yield* folder
    return yield* Effect.promise(() => run(process.execPath, [bundleText(`docs-${name}`, code)], { cwd }))
  })

describe("docs/observability.md", () => {
  it("has programs", () => {
    expect([programs.length, all.length]).toEqual([2, 3])
  })

  it.scopedLive.each(
    programs.map(([, code = "", output = ""], index) => [`observability-${index + 1}`, code, output] as const)
  )("prints what it says: %s", ([name, code, output]) =>
    Effect.gen(function* () {
      const { stderr, stdout } = yield* execute(name, code)
      expect(stdout).toBe(output)
      expect(stderr).toBe("")
    })
  )

  it.scopedLive("mounts routes that are there", () =>
    Effect.gen(function* () {
      const code = all.at(-1)?.[1] ?? ""
      const { stderr } = yield* execute("observability-routes", `${code}\nif (!routes || !services) throw new Error()`)
      expect(stderr).toBe("")
    })
  )

  it("names the figures that the code has", () => {
    expect(page).toContain(`A family holds ${Family.LIMIT.toLocaleString("en")} series`)
    expect(page).toContain(`longer than ${Labels.longest.toLocaleString("en")} characters`)
    expect(page).toContain(`every ${Duration.toSeconds(Fleet.DUMP_EVERY)} seconds`)
    expect(page).toContain(`has not reported for ${Duration.toSeconds(Fleet.MAX_AGE)} seconds`)
  })
})
