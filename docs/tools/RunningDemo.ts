// The demo as a process of its own, for pictures.
import { Deferred, Effect, type Scope } from "effect"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser, chromium } from "playwright-core"
import * as ChromiumPath from "../../test/support/ChromiumPath.ts"

type Variables = Readonly<Record<string, string>>

/** A folder that is removed with the scope. */
export const temporary: Effect.Effect<string, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "pictures-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

/** How to start it: the folder, and what Node is given. */
export interface Program {
  readonly root: string
  readonly main: ReadonlyArray<string>
}

/** The demo from its sources. */
export const fromSources = (root: string): Program => ({ root, main: ["--import", "tsx", "demo/main.ts"] })

const open = ({ main, root }: Program, words: ReadonlyArray<string>, variables: Variables) =>
  spawn(process.execPath, [...main, ...words], {
    cwd: root,
    env: { ...process.env, ...variables, NODE_ENV: undefined, VITEST: undefined, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"]
  })

const ended = (child: ReturnType<typeof spawn>): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("close", () => resume(Effect.void))
  })

const stop = (child: ReturnType<typeof spawn>): Effect.Effect<void> =>
  Effect.zipRight(
    Effect.sync(() => child.kill("SIGTERM")),
    ended(child)
  )

/** The demo while it serves. */
export interface RunningDemo {
  readonly url: string
  /** Stops it in good order. */
  readonly stop: Effect.Effect<void>
}

/** Starts the demo on a free port, and waits until it listens. */
export const start = (program: Program, variables: Variables): Effect.Effect<RunningDemo, never, Scope.Scope> =>
  Effect.gen(function* () {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => open(program, [], { PORT: "0", ...variables })),
      stop
    )
    const url = yield* Deferred.make<string>()
    let said = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said = (said + text).slice(-10_000)
      const [, found] = /listening on (http:\/\/\S+)/.exec(said) ?? []
      if (found !== undefined) Deferred.unsafeDone(url, Effect.succeed(found))
    })
    const early = Effect.zipRight(ended(child), Effect.dieMessage("The demo ended before it listened."))
    return { url: yield* Effect.raceFirst(Deferred.await(url), early), stop: stop(child) }
  })

/** Runs a command of the demo to its end. */
export const command = (program: Program, words: ReadonlyArray<string>, variables: Variables): Effect.Effect<void> =>
  Effect.suspend(() => {
    const child = open(program, words, variables)
    child.stdout.resume()
    return ended(child)
  })

/** A browser that ends with the scope. */
export const browser: Effect.Effect<Browser, never, Scope.Scope> = Effect.acquireRelease(
  Effect.promise(() => {
    const executablePath = ChromiumPath.find()
    if (executablePath === undefined) throw new Error("no Chromium found, set CHROMIUM_PATH")
    return chromium.launch({ executablePath, args: ChromiumPath.flags })
  }),
  (browser) => Effect.promise(() => browser.close())
)
