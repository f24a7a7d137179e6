// The page about mail: each of its programs runs and prints what the page says.
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { execFile } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { promisify } from "node:util"
import { bundleText } from "../../support/Bundle.ts"
import { folder, root } from "../../support/Demo.ts"

const run = promisify(execFile)

const page = Fs.readFileSync(Path.join(root, "docs", "mail.md"), "utf8")
const programs = [...page.matchAll(/```ts\n([^]*?)```\s+```text\n([^]*?)```/g)]

// A log line has a time and a fiber that no page can know.
const stable = (output: string) => output.replace(/^timestamp=\S+ level=(\w+) fiber=\S+ message="(.*)"$/gm, "$1 $2")

describe("docs/mail.md", () => {
  it("has programs", () => {
    expect(programs).toHaveLength(2)
  })

  it.scopedLive.each(programs.map(([, code = "", output = ""], index) => [`mail-${index + 1}`, code, output] as const))(
    "prints what it says: %s",
    ([name, code, output]) =>
      Effect.gen(function* () {
        const script = bundleText(`docs-${name}`, code)
        const cwd = yield* folder
        const { stderr, stdout } = yield* Effect.promise(() => run(process.execPath, [script], { cwd }))
        expect(stable(stdout)).toBe(output)
        expect(stderr).toBe("")
      })
  )
})
