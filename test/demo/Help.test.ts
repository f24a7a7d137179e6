// Every command explains itself, and says so when it does not understand.
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as Commands from "../../demo/Commands.ts"
import { execute } from "../../demo/commands/Command.ts"
import { serve } from "../../demo/Serve.ts"
import * as Demo from "../support/Demo.ts"
import { printed } from "../support/Printed.ts"

// Whoever reads a setting gets one that stops the start.
const unreadable = ConfigProvider.fromMap(new Map([["PORT", "none"]]))

const spoken = (text: string) => {
  const [program, ...words] = text.split(" ")
  const [verb, rest] = program === "demo" ? [serve, words] : Commands.select(words)
  return Effect.map(Effect.withConfigProvider(printed(execute(verb, rest)), unreadable), (said) => [verb.usage, said])
}

const processes = [
  { name: "npm start -- --help", program: () => [...Demo.main(), "--help"], status: 0 },
  { name: "npm start -- --port 80", program: () => [...Demo.main(), "--port", "80"], status: 2 },
  { name: "npm run demo -- --help", program: () => ["--import", "tsx", "demo/main.ts", "--help"], status: 0 },
  { name: "npm run migrate -- --help", program: () => Demo.command("migrate", "--help"), status: 0 },
  { name: "npm run migrate -- now", program: () => Demo.command("migrate", "now"), status: 2 }
]

describe("the command line", () => {
  it.effect.each([
    "demo --help",
    "demo -h",
    "demo help",
    "command --help",
    "command migrate --help",
    "command seed -h",
    "command queue --help",
    "command queue run mail --help",
    "command ship --every 15s --help"
  ])("explains %s on standard output, without a look at the settings", (text) =>
    Effect.gen(function* () {
      const [usage, said] = yield* spoken(text)
      expect(usage).toMatch(/^Usage: /)
      expect(said).toEqual({ status: 0, out: usage, error: "" })
    })
  )

  it.effect.each([
    ["demo --port 80", "--port 80"],
    ["demo serve", "serve"],
    ["command toString", "toString"],
    ["command --verbose", "--verbose"],
    ["command migrate now", "now"],
    ["command seed --all", "--all"],
    ["command queue list all", "list all"],
    ["command ship --every", "--every"]
  ])("answers %s with status 2 and the usage on standard error, without a look at the settings", ([text, rest]) =>
    Effect.gen(function* () {
      const [usage, said] = yield* spoken(text ?? "")
      expect(said).toEqual({ status: 2, out: "", error: `Unknown arguments: ${rest}\n\n${usage}` })
    })
  )

  it.effect.each(["command", "command queue"])("answers %s alone with its usage and status 2", (text) =>
    Effect.gen(function* () {
      const [usage, said] = yield* spoken(text)
      expect(said).toEqual({ status: 2, out: "", error: usage })
    })
  )

  it("names variables of the demo that its documentation lists", () => {
    const page = readFileSync(join(Demo.root, "docs", "deployment.md"), "utf8")
    const named = serve.usage.match(/\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:HOST|PORT|WORKERS)\b/g) ?? []
    expect(new Set(named).size).toBeGreaterThanOrEqual(8)
    expect(named.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
    expect(serve.usage).toContain("docs/deployment.md")
  })

  it.scopedLive.each(processes)("ends $name by itself and leaves no file", ({ program, status }) =>
    Effect.gen(function* () {
      const storage = join(yield* Demo.folder, "made")
      const started = yield* Demo.start(program(), { STORAGE_DIR: storage, PORT: "0" })
      expect((yield* started.ended).code).toBe(status)
      const { stderr, stdout } = started.output()
      expect(status === 0 ? stdout : stderr).toContain("Usage: ")
      expect(status === 0 ? stderr : stdout).toBe("")
      expect(existsSync(storage)).toBe(false)
    })
  )
})
