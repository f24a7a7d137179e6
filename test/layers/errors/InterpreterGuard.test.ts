import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { buildSync } from "esbuild"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { start } from "../../support/Demo.ts"

const directory = mkdtempSync(join(tmpdir(), "effect-framework-guard-"))
const built = join(directory, "program.mjs")

beforeAll(() => {
  buildSync({
    entryPoints: [join(dirname(fileURLToPath(import.meta.url)), "fixtures", "Uninspectable.ts")],
    outfile: built,
    bundle: true,
    platform: "node",
    format: "esm",
    logLevel: "silent"
  })
})

afterAll(() => rmSync(directory, { recursive: true, force: true }))

describe("a value that throws when it is inspected", () => {
  it.scopedLive.each([
    { way: "thrown", event: "is thrown" },
    { way: "rejected", event: "rejects a promise" },
    { way: "late", event: "rejects a promise later" },
    { way: "signalled", event: "rejects a promise that can be aborted" },
    { way: "tried", event: "rejects a promise of tryPromise" },
    { way: "trapped", event: "rejects a promise, and its trap throws another one" },
    { way: "synchronous", event: "is thrown before there is a promise" }
  ])("fails the fiber and does not end the process when it $event", ({ way }) =>
    Effect.gen(function* () {
      const process = yield* start([built, way], {})
      const { code } = yield* process.ended
      expect({ code, ...process.output() }).toEqual({ code: 0, stdout: "Failure true\n", stderr: "" })
    })
  )
})
