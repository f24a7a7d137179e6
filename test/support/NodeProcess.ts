// A program as a separate process of Node, ended with the scope. Needs no test runner.
import { Deferred, Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as TemporaryFolders from "./TemporaryFolders.ts"

export const root = fileURLToPath(new URL("../..", import.meta.url))

/** How a process ended. */
export interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface Process {
  readonly pid: number
  readonly child: ChildProcess
  /** Everything written so far. Its last lines may still be in a pipe: `says` waits for them. */
  readonly output: () => { readonly stdout: string; readonly stderr: string }
  readonly ended: Effect.Effect<End>
  readonly signal: (signal: NodeJS.Signals) => void
  /** Waits until a line of either stream matches; gives the match. */
  readonly says: (pattern: RegExp) => Effect.Effect<RegExpExecArray>
}

/** A private folder that is removed with the scope. */
export const folder: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(TemporaryFolders.parent, "effect-framework-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/**
 * Starts Node, in this repository by default. Variables of the framework are not inherited from the environment of the
 * test. Of what it writes, `kept` characters are remembered.
 */
export const start = (
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>> = {},
  cwd: string = root,
  kept: number = Infinity
): Effect.Effect<Process, never, Scope.Scope> =>
  Effect.map(Effect.acquireRelease(open(args, env, cwd, kept), close), ({ process }) => process)

const ours =
  /^(?:HOST|PORT|APP_URL|WORKERS|DATABASE_.*|STORAGE_DIR|HEALTH_PATH|SHUTDOWN_DELAY|TRUSTED_PROXIES|FRAMEWORK_.*|(?:AUTH|MAIL|OTEL)_.*)$/

const open = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>>, cwd: string, kept: number) =>
  Effect.gen(function* () {
    const inherited = Object.fromEntries(Object.entries(process.env).filter(([name]) => !ours.test(name)))
    const child = spawn(process.execPath, args, {
      cwd,
      env: { ...inherited, NODE_ENV: undefined, VITEST: undefined, NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const ended = yield* Deferred.make<End>()
    const written = { stdout: "", stderr: "" }
    const listeners = new Set<() => void>()
    let isClosed = false
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (chunk: string) => {
        written[name] = (written[name] + chunk).slice(-kept)
        for (const listener of listeners) listener()
      })
    }
    child.once("close", (code, signal) => {
      isClosed = true
      Deferred.unsafeDone(ended, Effect.succeed({ code, signal }))
      for (const listener of listeners) listener()
    })
    const says = (pattern: RegExp) =>
      Effect.async<RegExpExecArray>((resume) => {
        const look = () => {
          const match = pattern.exec(written.stdout) ?? pattern.exec(written.stderr)
          // Not when it has exited: the last lines may still be in the pipe.
          if (match === null && !isClosed) return
          listeners.delete(look)
          resume(
            match === null
              ? Effect.die(new Error(`ended without ${pattern}: ${written.stderr}`))
              : Effect.succeed(match)
          )
        }
        listeners.add(look)
        look()
        return Effect.sync(() => listeners.delete(look))
      })
    const started: Process = {
      pid: child.pid ?? 0,
      child,
      output: () => ({ ...written }),
      ended: Deferred.await(ended),
      signal: (signal) => void child.kill(signal),
      says
    }
    return { process: started, ended }
  })

const close = ({ process }: { readonly process: Process }): Effect.Effect<void> =>
  Effect.gen(function* () {
    if (process.child.exitCode !== null || process.child.signalCode !== null) return
    process.signal("SIGTERM")
    const finished = yield* process.ended.pipe(Effect.interruptible, Effect.timeoutOption("15 seconds"))
    if (finished._tag === "Some") return
    process.signal("SIGKILL")
    yield* process.ended
  })
