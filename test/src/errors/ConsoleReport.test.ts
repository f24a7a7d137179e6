import { describe, expect, it } from "@effect/vitest"
import * as ConsoleReport from "../../../src/errors/internal/ConsoleReport.ts"
import { Sources } from "../../../src/errors/Sources.ts"
import * as CauseThrowables from "../../../src/errors/internal/CauseThrowables.ts"
import * as Throwables from "../../support/Throwables.ts"

const sources = Sources.of({
  root: "/app",
  locate: (place) => place,
  read: (file) => (file === "/app/src/a.ts" ? ["const a = 1", "throw a // here", "const b = 2"] : undefined)
})

const error = () =>
  Object.assign(new Error("The shelf\nis empty", { cause: new Error("root") }), {
    stack: "Error: The shelf\nis empty\n    at place (/app/src/a.ts:2:7)\n    at run (/app/node_modules/x/y.js:1:1)",
    order: 7,
    apiKey: "canary"
  })

const render = (verbosity: ConsoleReport.Verbosity, colours = false, value: unknown = error()) =>
  ConsoleReport.render(CauseThrowables.from(value), { sources, verbosity, colours })

const escape = "\u001B"

// oxlint-disable-next-line no-control-regex -- what must not be there
const controls = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E]/

describe("ConsoleReport", () => {
  it("is the golden report", async () => {
    const cause = Object.assign(new TypeError("root"), { stack: "TypeError: root\n    at load (/app/src/a.ts:1:7)" })
    const golden = Object.assign(error(), { cause })
    await expect(render(3, true, golden)).toMatchFileSnapshot("golden/console-report.golden")
  })

  it("says class and message at verbosity 1", () => {
    expect(render(1)).toBe("\n   Error \n  The shelf\n  is empty\n\n")
  })

  it("adds the file and its source at verbosity 2", () => {
    const report = render(2)
    expect(report).toContain("  src/a.ts:2:7\n")
    expect(report).toContain("    1 │ const a = 1\n  ▶ 2 │ throw a // here\n    3 │ const b = 2\n")
    expect(report).toContain("caused by Error\n  root")
    expect(report).not.toContain("  at place")
  })

  it("adds the stack at verbosity 3", () => {
    expect(render(3)).toContain("\n  at place src/a.ts:2:7\n  at run node_modules/x/y.js:1:1\n")
  })

  it("masks the fields of an error", () => {
    expect(render(3)).toContain("order: 7\n  apiKey: ********\n")
    expect(render(3)).not.toContain("canary")
  })

  it("colours for a terminal and not otherwise", () => {
    const same = error()
    expect(render(3, true)).toContain(`${escape}[`)
    expect(render(3, false)).not.toContain(escape)
    // oxlint-disable-next-line no-control-regex -- the codes are what is taken out
    expect(render(3, true, same).replace(/\u001B\[[0-9;]*m/g, "")).toBe(render(3, false, same))
  })

  it.each([
    [{}, true, true],
    [{}, false, false],
    [{ NO_COLOR: "1" }, true, false],
    [{ NO_COLOR: "" }, true, true],
    [{ TERM: "dumb" }, true, false]
  ])("decides on colours from %o, terminal %s: %s", (environment, isTerminal, expected) => {
    expect(ConsoleReport.wantsColours(environment, isTerminal)).toBe(expected)
  })

  it("neutralises control characters wherever they stand", () => {
    for (const text of Throwables.texts) {
      const hostile = Object.assign(new Error(text, { cause: text }), { name: text, [text]: text })
      const stack = `${text}: ${text}\n    at ${text.replace(/\s/g, "")} (/app/${text.replace(/\s/g, "")}.ts:1:1)`
      expect(render(3, false, Object.assign(hostile, { stack })), text).not.toMatch(controls)
    }
  })

  it.each(Throwables.all())("reports %s", (_, value) => {
    const report = render(3, true, value)
    expect(report.length).toBeLessThan(200_000)
    expect(report).not.toContain("canary")
  })
})
