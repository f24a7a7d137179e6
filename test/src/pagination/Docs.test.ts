// The page about pagination: each of its programs runs and prints what the page says.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { promisify } from "node:util"
import * as SignedCursors from "../../../layers/pagination/SignedCursors.ts"
import * as Recent from "../../../layers/database/Recent.ts"
import * as Pagination from "../../../src/pagination/Pagination.ts"
import { bundleText } from "../../support/Bundle.ts"
import { folder, root } from "../../support/Demo.ts"

const run = promisify(execFile)

const page = Fs.readFileSync(Path.join(root, "docs", "pagination.md"), "utf8")
const programs = [...page.matchAll(/```ts\n([^]*?)```\s+```text\n([^]*?)```/g)]

describe("docs/pagination.md", () => {
  it("has programs", () => {
    expect(programs).toHaveLength(2)
  })

  it.scopedLive.each(
    programs.map(([, code = "", output = ""], index) => [`pagination-${index + 1}`, code, output] as const)
  )("prints what it says: %s", ([name, code, output]) =>
    Effect.gen(function* () {
      const script = bundleText(`docs-${name}`, code)
      const cwd = yield* folder
      const { stderr, stdout } = yield* Effect.promise(() => run(process.execPath, [script], { cwd }))
      expect(stdout).toBe(output)
      expect(stderr).toBe("")
    })
  )

  it("names the figures that the code has", () => {
    expect(page).toContain(
      `from 1 to ${Pagination.cap}; more is ${Pagination.cap}, anything else is ${Pagination.limit}`
    )
    expect(page).toContain(`\`${SignedCursors.variable}\` (${SignedCursors.shortest} characters or more`)
    expect(page).toContain(`Up to ${Recent.capacity} pages`)
  })
})
