// The page about testing shows a test that runs here, word for word but for where the package is imported from.
import { describe, expect, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { TestApp } from "../../testing/index.ts"
import { root } from "../support/Demo.ts"

const entries = {
  '"../../src/index.ts"': '"effect-framework"',
  '"../../routes/index.ts"': '"effect-framework/routes"',
  '"../../testing/index.ts"': '"effect-framework/testing"'
}

const read = (path: string) => readFileSync(join(root, path), "utf8")
const page = read("docs/testing.md")

describe("docs/testing.md", () => {
  it.each(["test/testing/Guarded.test.ts"])("shows %s", (path) => {
    const text = Object.entries(entries).reduce((text, [from, to]) => text.replaceAll(from, to), read(path))
    expect(page).toContain(`\`\`\`ts\n${text}\`\`\``)
  })

  it("shows the clock as it is tested", () => {
    const [, block = ""] = /## The clock[^]*?```ts\n([^]*?)```/.exec(page) ?? []
    const tested = read("test/testing/Guarded.test.ts")
    for (const line of block.trim().split("\n")) expect(tested).toContain(line.trim())
  })

  it("names the address of links that the code has", () => {
    expect(page).toContain(`links to \`${TestApp.appUrl}\``)
  })
})
