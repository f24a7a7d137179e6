// A real HAProxy in front of a server. Where there is none its tests are skipped, except in CI.
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { accessSync, constants, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe } from "vitest"
import { eventually } from "./Eventually.ts"

const usual = ["/usr/sbin/haproxy", "/usr/local/sbin/haproxy", "/opt/homebrew/sbin/haproxy", "/usr/local/bin/haproxy"]

const runs = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const find = (): string | undefined => usual.find(runs)

/** `describe` for tests that need HAProxy: skipped with a warning where there is none; in CI they fail. */
export const describeHaproxy: (name: string, tests: () => void) => void = (name, tests) => {
  if (find() !== undefined || process.env["CI"] === "true") return void describe(name, tests)
  console.warn(`skipped "${name}": no HAProxy found`)
  describe.skip(name, tests)
}

const freePort = Effect.async<number>((resume) => {
  const server = createServer().listen(0, "127.0.0.1", () => {
    const address = server.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    server.close(() => resume(Effect.succeed(port)))
  })
})

const isOpen = (port: number) =>
  Effect.async<boolean>((resume) => {
    const socket = connect(port, "127.0.0.1")
    const done = (open: boolean) => {
      socket.destroy()
      resume(Effect.succeed(open))
    }
    socket.on("connect", () => done(true)).on("error", () => done(false))
  })

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
    const path = find()
    if (path === undefined) return yield* Effect.dieMessage("no HAProxy found")
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "haproxy-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true }))
    )
    const file = join(folder, "haproxy.cfg")
    const attempt = Effect.gen(function* () {
      const port = yield* freePort
      writeFileSync(file, configuration(port, server))
      const child = yield* Effect.acquireRelease(
        Effect.sync(() => spawn(path, ["-db", "-q", "-f", file], { stdio: "ignore" })),
        (child) =>
          Effect.async<void>((resume) => {
            child.once("exit", () => resume(Effect.void))
            if (!child.kill("SIGKILL")) resume(Effect.void)
          })
      )
      const hasEnded = () => child.exitCode !== null || child.signalCode !== null
      yield* eventually(isOpen(port), (open) => open || hasEnded())
      return hasEnded() ? undefined : port
    })
    // Another program may take the port before HAProxy does: then it ends, and is started on another one.
    for (let attempts = 0; attempts < 5; attempts++) {
      const port = yield* attempt
      if (port !== undefined) return port
    }
    return yield* Effect.dieMessage("HAProxy does not start")
  })
