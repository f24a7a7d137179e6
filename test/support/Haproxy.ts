// A real HAProxy in front of a server. Where there is none its tests are skipped, except in CI.
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe } from "vitest"
import * as Daemon from "./Daemon.ts"
import { folder } from "./NodeProcess.ts"

const names: Readonly<Record<string, string>> = { haproxy: "HAProxy", pgbouncer: "PgBouncer" }

/** `describe` for tests that need these daemons: skipped with a warning where one is missing; in CI they fail. */
export const describeDaemons = (daemons: ReadonlyArray<string>, name: string, tests: () => void): void => {
  const missing = daemons.filter((daemon) => Daemon.find(daemon) === undefined)
  if (missing.length === 0 || process.env["CI"] === "true") return void describe(name, tests)
  console.warn(`skipped "${name}": no ${missing.map((daemon) => names[daemon] ?? daemon).join(" and no ")} found`)
  describe.skip(name, tests)
}

/** `describe` for tests that need HAProxy. */
export const describeHaproxy = (name: string, tests: () => void): void => describeDaemons(["haproxy"], name, tests)

const configuration = (port: number, server: number) => `
global
  maxconn 100
defaults
  mode http
  timeout connect 5s
  timeout client 70s
  timeout server 70s
  http-reuse always
frontend front
  bind 127.0.0.1:${port}
  default_backend app
backend app
  server only 127.0.0.1:${server} maxconn 1
`

/** HAProxy in front of the port, with one connection to it for all clients; returns HAProxy's port. */
export const inFront = (server: number) =>
  Effect.gen(function* () {
    const file = join(yield* folder, "haproxy.cfg")
    const { port } = yield* Daemon.start("haproxy", (port) => {
      writeFileSync(file, configuration(port, server))
      return ["-db", "-q", "-f", file]
    })
    return port
  })
