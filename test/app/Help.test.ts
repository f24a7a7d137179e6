// Every command explains itself, and says so when it does not understand.
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { executeCommand } from "../../app/CommandLine.ts"
import { program } from "../../demo/Program.ts"
import * as Demo from "../support/Demo.ts"
import { printed } from "../support/Printed.ts"

// A setting that is read stops the start.
const unreadable = ConfigProvider.fromMap(new Map([["PORT", "none"]]))

const given = (text: string) =>
  Effect.withConfigProvider(printed(executeCommand(program, text === "" ? [] : text.split(" "))), unreadable)

const processes = [
  { name: "npm start -- --help", words: () => Demo.command("--help"), status: 0 },
  { name: "npm start -- --port 80", words: () => Demo.command("--port", "80"), status: 2 },
  { name: "npm run migrate -- now", words: () => Demo.command("migrate", "now"), status: 2 }
]

describe("the command line", () => {
  it.effect.each([
    ["--help", "$ demo", "seed  "],
    ["-h", "$ demo", "keys rotate  "],
    ["help", "$ demo", "migrate  "],
    ["migrate --help", "$ migrate", "apply the migrations"],
    ["seed -h", "$ seed", "1,000 articles"],
    ["help queue", "$ queue", "retry [<id>]  "],
    ["queue run mail --help", "$ run [--once]", "--once"],
    ["ship --every 15s --help", "$ ship [--every 15s]", "OTEL_EXPORTER_OTLP_ENDPOINT"],
    ["keys rotate --help", "$ rotate", "make a new key"],
    ["factors remove --help", "$ remove [--passkeys] <email>", "remove the passkeys too"],
    ["export articles --help", "$ export [--format ndjson | csv]", "--escape-formulas"],
    ["log level --help", "$ level <level>", "until it restarts"]
  ] as const)("explains %s on standard output, without a look at the settings", ([text, usage, detail]) =>
    Effect.gen(function* () {
      const { error, out, status } = yield* given(text)
      expect({ status, error }).toEqual({ status: 0, error: "" })
      expect(out).toContain(`USAGE\n\n${usage}`)
      expect(out).toContain(detail)
      expect(out).not.toContain("\u001b")
    })
  )

  it.effect.each([
    ["--port 80", "$ demo"],
    ["serve", "$ demo"],
    ["toString", "$ demo"],
    ["migrate now", "$ migrate"],
    ["seed --all", "$ seed"],
    ["queue lst", "$ queue"],
    ["queue run", "$ run [--once]"],
    ["queue run messages", "$ run [--once]"],
    ["queue run mail --twice", "$ run [--once]"],
    ["queue run jobs --concurrency 0", "$ run [--once]"],
    ["queue list all", "$ list"],
    ["keys forget", "$ keys"],
    ["export", "$ export"],
    ["export articles --format xml", "$ export"],
    ["ship --every", "$ ship"],
    ["ship --every 0s", "$ ship"]
  ] as const)(
    "responds to %s with status 2 and the usage on standard error, without a look at the settings",
    ([text, usage]) =>
      Effect.gen(function* () {
        const { error, out, status } = yield* given(text)
        expect({ status, out }).toEqual({ status: 2, out: "" })
        expect(error).toMatch(new RegExp(`^Unknown arguments: ${text}\n.+\n\n`))
        expect(error).toContain(`USAGE\n\n${usage}`)
      })
  )

  it.effect("refuses queue run jobs --once in one line, which would not end", () =>
    Effect.gen(function* () {
      expect(yield* given("queue run jobs --once")).toEqual({
        status: 2,
        out: "",
        error: "queue run jobs runs until it is stopped: --once is an option of queue run mail"
      })
    })
  )

  it.effect.each(["queue", "keys"])("responds to %s alone with its usage and status 2", (text) =>
    Effect.gen(function* () {
      const { error, out, status } = yield* given(text)
      expect({ status, out }).toEqual({ status: 2, out: "" })
      expect(error).toMatch(/^demo\n/)
      expect(error).toContain(`USAGE\n\n$ ${text}`)
    })
  )

  it.effect("reads the settings before a command opens anything", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(given("migrate"))
      expect(String(failure)).toContain('PORT is "none"')
    })
  )

  it.effect("names variables that the documentation lists", () =>
    Effect.gen(function* () {
      const page = readFileSync(join(Demo.root, "docs", "deployment.md"), "utf8")
      const { out } = yield* given("--help")
      const named = out.match(/\b[A-Z]+(?:_[A-Z]+)+\b|\b(?:HOST|PORT|WORKERS)\b/g) ?? []
      expect(new Set(named).size).toBeGreaterThanOrEqual(8)
      expect(named.filter((name) => !page.includes(`\`${name}\``) && name !== "MAIL_")).toEqual([])
      expect(out).toContain("docs/deployment.md")
    })
  )

  it.scopedLive.each(processes)("ends $name by itself and leaves no file", ({ status, words }) =>
    Effect.gen(function* () {
      const storage = join(yield* Demo.folder, "made")
      const started = yield* Demo.start(words(), { STORAGE_DIR: storage, PORT: "0" })
      expect((yield* started.ended).code).toBe(status)
      const { stderr, stdout } = started.output()
      expect(status === 0 ? stdout : stderr).toContain("USAGE")
      expect(status === 0 ? stderr : stdout).toBe("")
      expect(existsSync(storage)).toBe(false)
    })
  )
})
