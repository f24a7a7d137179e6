// The real Prometheus and its linter, both of Debian's package `prometheus`. Where they are missing the tests that need
// them are skipped with one line, except in CI.
import { Effect, type Scope } from "effect"
import { type ChildProcessByStdio, spawn, spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import type { Readable } from "node:stream"
import { describe } from "vitest"
import * as Demo from "../../support/Demo.ts"
import { eventually } from "../../support/Eventually.ts"

const runs = (program: string): boolean => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0

/** `describe` for tests that need these programs. */
export const describeWith = (program: "prometheus" | "promtool", name: string, tests: () => void): void => {
  if (process.env["CI"] === "true" || runs(program)) return void describe(name, tests)
  console.warn(`skipped "${name}": ${program} is not installed (Debian package prometheus)`)
  describe.skip(name, tests)
}

/** What the linter says: nothing when all is well. */
export const check = (exposition: string): { readonly status: number | null; readonly said: string } => {
  const { status, stderr, stdout } = spawnSync("promtool", ["check", "metrics"], {
    input: exposition,
    encoding: "utf8"
  })
  return { status, said: `${stdout}${stderr}` }
}

export interface Sample {
  readonly metric: Readonly<Record<string, string>>
  readonly values: ReadonlyArray<readonly [time: number, value: string]>
}

export interface Prometheus {
  /** Everything a selector has matched since the start: `http_requests_total[1h]`. */
  readonly range: (selector: string) => Effect.Effect<ReadonlyArray<Sample>>
  /** The value of a query that has one. */
  readonly value: (query: string) => Effect.Effect<number | undefined>
}

// Prometheus takes a free port itself and logs it: a port that was found free before may be taken again.
const listening = ({ stderr }: ChildProcessByStdio<null, null, Readable>): Effect.Effect<string> =>
  Effect.async((resume) => {
    const lines = createInterface(stderr)
    lines.on("line", (line) => {
      const address = /msg="?Listening on"? address=(127\.0\.0\.1:\d+)/.exec(line)?.[1]
      if (address !== undefined) resume(Effect.succeed(`http://${address}`))
    })
    lines.once("close", () => resume(Effect.dieMessage("prometheus ended before it listened")))
  })

/** A server that scrapes the target every second and is gone with the scope. */
export const start = (target: string): Effect.Effect<Prometheus, never, Scope.Scope> =>
  Effect.gen(function* () {
    const folder = yield* Demo.folder
    const config = join(folder, "prometheus.yml")
    const host = new URL(target).host
    writeFileSync(
      config,
      `global: { scrape_interval: 1s, scrape_timeout: 1s }
scrape_configs: [{ job_name: demo, static_configs: [{ targets: ["${host}"] }] }]
`
    )
    const server = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(
          "prometheus",
          [
            `--config.file=${config}`,
            `--storage.tsdb.path=${join(folder, "data")}`,
            "--web.listen-address=127.0.0.1:0"
          ],
          { stdio: ["ignore", "ignore", "pipe"] }
        )
      ),
      (child) =>
        Effect.async<void>((resume) => {
          if (child.exitCode !== null) return resume(Effect.void)
          child.once("exit", () => resume(Effect.void))
          child.kill("SIGKILL")
        })
    )
    const base = yield* listening(server)
    const ready = Effect.promise(() =>
      fetch(`${base}/-/ready`).then(
        ({ ok }) => ok,
        () => false
      )
    )
    yield* eventually(ready, (is) => is)
    const query = (text: string) =>
      Effect.promise(() =>
        fetch(`${base}/api/v1/query?query=${encodeURIComponent(text)}`)
          .then((response) => response.text())
          .then((body) => JSON.parse(body))
      )
    return {
      range: (selector) => Effect.map(query(selector), ({ data }) => data.result),
      value: (text) =>
        Effect.map(query(text), ({ data }) => {
          const value = data.result[0]?.value?.[1]
          return value === undefined ? undefined : Number(value)
        })
    }
  })
