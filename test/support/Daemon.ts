// A daemon of the system, such as HAProxy: found where it usually is, started on a free port and ended with the scope.
// Needs no test runner.
import { Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { connect, createServer } from "node:net"
import { eventually } from "./Eventually.ts"
import { runs } from "./Executable.ts"

const folders = [
  "/usr/sbin",
  "/usr/bin",
  "/usr/local/sbin",
  "/usr/local/bin",
  "/opt/homebrew/sbin",
  "/opt/homebrew/bin"
]

/** Where the program of this name is; `undefined` where it is not installed. */
export const find = (name: string): string | undefined => folders.map((folder) => `${folder}/${name}`).find(runs)

const isFree = (port: number) =>
  Effect.async<boolean>((resume) => {
    const server = createServer()
      .on("error", () => resume(Effect.succeed(false)))
      .listen(port, "127.0.0.1", () => server.close(() => resume(Effect.succeed(true))))
  })

/**
 * A port of the loopback address that nobody listens on, below those that the system gives to outgoing connections: it
 * stays free while its program restarts.
 */
export const freePort: Effect.Effect<number> = Effect.suspend(() => {
  const port = 20_000 + Math.floor(Math.random() * 12_000)
  return Effect.flatMap(isFree(port), (free) => (free ? Effect.succeed(port) : freePort))
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

const ended = (child: ChildProcess) =>
  Effect.async<void>((resume) => {
    child.once("exit", () => resume(Effect.void))
    if (child.exitCode !== null || child.signalCode !== null || !child.kill("SIGKILL")) resume(Effect.void)
  })

/** The daemon listens, and this is its process. */
export interface Daemon {
  readonly port: number
  readonly pid: number
}

/** Starts a daemon, with arguments that depend on its port, and waits until it listens. */
export const start = (
  name: string,
  argumentsFor: (port: number) => ReadonlyArray<string>
): Effect.Effect<Daemon, never, Scope.Scope> =>
  Effect.gen(function* () {
    const path = find(name)
    if (path === undefined) return yield* Effect.dieMessage(`${name} is not installed`)
    let said = ""
    const attempt = Effect.gen(function* () {
      const port = yield* freePort
      const child = yield* Effect.acquireRelease(
        Effect.sync(() => spawn(path, argumentsFor(port), { stdio: ["ignore", "ignore", "pipe"] })),
        ended
      )
      child.stderr.on("data", (chunk) => (said = `${said}${String(chunk)}`.slice(-2000)))
      const hasEnded = () => child.exitCode !== null || child.signalCode !== null
      yield* eventually(isOpen(port), (open) => open || hasEnded())
      return hasEnded() ? undefined : { port, pid: child.pid ?? 0 }
    })
    // Another program may take the port before the daemon does: then it ends, and is started on another one.
    for (let attempts = 0; attempts < 5; attempts++) {
      const daemon = yield* attempt
      if (daemon !== undefined) return daemon
    }
    return yield* Effect.dieMessage(`${name} does not start: ${said}`)
  })
