// `npm run fuzz` itself: what it runs, what it prints when a property fails, and with which status it ends.
import { describe, expect, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"
import type { TestSpecification } from "vitest/node"
import { Progress } from "./Progress.ts"
import * as Properties from "./Properties.ts"
import * as Request from "./Request.ts"

const fixture = "test/fuzz/fixtures/Sums.ts"

const run = promisify(execFile)

interface Ended {
  readonly status: number
  readonly err: string
  readonly out: string
}

// Not with spawnSync: vitest gives up a worker that cannot read its messages for a minute.
const fuzz = (words: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}): Promise<Ended> => {
  // The variables by which vitest knows its own workers would confuse the inner one.
  const inherited = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|TEST$|NODE_ENV$|FUZZ_)/.test(name))
  return run(process.execPath, ["--import", "tsx", "test/fuzz/main.ts", ...words], {
    cwd: Properties.root,
    env: { ...Object.fromEntries(inherited), ...env }
  }).then(
    ({ stderr, stdout }) => ({ status: 0, err: stderr, out: stdout }),
    ({ code, stderr, stdout }) => ({ status: code, err: stderr, out: stdout })
  )
}

const counterexample = (text: string) => /Counterexample: .*/.exec(text)?.[0]

describe("npm run fuzz", () => {
  it(
    "prints the seed of a property that fails, and fails the same way with that seed",
    { timeout: 240_000 },
    async () => {
      const first = await fuzz([fixture])
      expect(first.status).toBe(1)
      expect(first.err).toContain(`FAILED ${fixture} > numbers stay small`)
      expect(first.err).not.toContain("a test that is no property was run")
      expect(first.err).toMatch(/\[1\/1 files, 2 properties, \d+:\d\d\]/)
      // A hundred times a hundred runs: what a property counts is printed as one sum.
      expect(first.err).toMatch(/fuzz: 2 properties in 1 round\(s\), 10,000 sums, \d+:\d\d, 1 failed/)
      const [, seed = ""] =
        /repeat: FUZZ_SEED=(-?\d+) npm run fuzz -- test\/fuzz\/fixtures\/Sums\.ts/.exec(first.err) ?? []
      expect(first.err).toContain(`{ seed: ${seed}, path: `)

      const again = await fuzz([fixture], { FUZZ_SEED: seed })
      expect(again.status).toBe(1)
      expect(again.err).toContain(`FUZZ_SEED=${seed} npm run fuzz`)
      expect(counterexample(again.err)).toBe(counterexample(first.err))
    }
  )

  it("fails when a file did not run", () => {
    const progress = new Progress()
    progress.onTestRunStart(Object.assign<Array<TestSpecification>, object>([], { length: 2 }))
    progress.endRound()
    expect(progress.summary(1)).toMatch(/^fuzz: 0 properties in 1 round\(s\), 0:00, 1 failed$/)
  })

  it("refuses an unknown word with status 2 and prints its usage", { timeout: 240_000 }, async () => {
    const { err, status } = await fuzz(["no-such-thing"])
    expect(status).toBe(2)
    expect(err).toContain('No file with a property has "no-such-thing" in its path.')
    expect(err).toContain("Usage: npm run fuzz -- [--minutes N] [NAME...]")
  })

  it("prints its usage with --help", { timeout: 240_000 }, async () => {
    const { out, status } = await fuzz(["--help"])
    expect(status).toBe(0)
    expect(out).toBe(Request.usage)
  })

  it.each([
    ["a file without a property", ["test/Architecture.test.ts"], {}],
    ["an unknown option", ["--sometimes"], {}],
    ["minutes that are no number", ["--minutes", "soon"], {}],
    ["minutes of the environment that are no number", [], { FUZZ_MINUTES: "-1" }],
    ["a seed that is no number", [fixture], { FUZZ_SEED: "x" }]
  ])("refuses %s", (_, words, env) => {
    expect(Request.read(words, env)).toMatch(/\w/)
  })

  it("takes names, minutes and a seed", () => {
    const links = "test/src/pagination/Links.test.ts"
    expect(Request.read(["links", "--minutes", "0.5"], {})).toEqual({ files: [links], minutes: 0.5, seed: "" })
    expect(Request.read(["links"], { FUZZ_MINUTES: "60", FUZZ_SEED: "-7" })).toEqual({
      files: [links],
      minutes: 60,
      seed: "-7"
    })
  })

  it("finds every file that has a property, and picks by a part of the path", () => {
    const files = Properties.files()
    expect(files).toContain("test/src/pagination/Links.test.ts")
    expect(files).toContain("test/src/http/Html.test.ts")
    expect(files).not.toContain(fixture)
    expect(Properties.named("PAGINATION/links")).toEqual(["test/src/pagination/Links.test.ts"])
  })

  it("repeats a property less often where it needs a database", () => {
    expect(Properties.repetitions("test/src/pagination/Links.test.ts")).toBe(100)
    expect(Properties.repetitions("test/layers/pagination/SqlRepository.test.ts")).toBe(10)
  })
})
