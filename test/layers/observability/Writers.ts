// Starts writers: bundled once, since eight of them through a loader would take longer than the test.
import { Context, Effect, Layer, type Scope } from "effect"
import { build } from "esbuild"
import { type ChildProcess, fork } from "node:child_process"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Demo from "../../support/Demo.ts"
import type { Order } from "./Writer.ts"

export interface Writer {
  readonly pid: number
  readonly request: (order: Order) => Effect.Effect<number>
  readonly kill: Effect.Effect<void>
  readonly ended: Effect.Effect<void>
}

const source = fileURLToPath(new URL("Writer.ts", import.meta.url))

/** The program of a writer as one file. */
export class Program extends Context.Tag("test/observability/Program")<Program, string>() {}

const bundle = Effect.flatMap(Demo.folder, (folder) => {
  const outfile = join(folder, "writer.mjs")
  const banner = "import{createRequire as _r}from'node:module';const require=_r(import.meta.url);"
  return Effect.as(
    Effect.promise(() =>
      build({ entryPoints: [source], bundle: true, platform: "node", format: "esm", outfile, banner: { js: banner } })
    ),
    outfile
  )
})

const told = (child: ChildProcess): Effect.Effect<unknown> =>
  Effect.async((resume) => void child.once("message", (message) => resume(Effect.succeed(message))))

const gone = (child: ChildProcess): Effect.Effect<void> =>
  Effect.async((resume) => {
    if (child.exitCode !== null || child.signalCode !== null) return resume(Effect.void)
    child.once("exit", () => resume(Effect.void))
  })

export const layer: Layer.Layer<Program> = Layer.scoped(Program, bundle)

export const start = (
  directory: string,
  kind: "worker" | "observer" = "worker"
): Effect.Effect<Writer, never, Scope.Scope | Program> =>
  Effect.gen(function* () {
    const program = yield* Program
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        fork(program, [directory, kind], { execArgv: [], stdio: ["ignore", "inherit", "inherit", "ipc"] })
      ),
      (child) =>
        Effect.zipRight(
          Effect.sync(() => child.kill("SIGKILL")),
          gone(child)
        )
    )
    yield* told(child)
    return {
      pid: child.pid ?? 0,
      request: (order) =>
        Effect.map(
          Effect.zipRight(
            Effect.sync(() => void child.send(order, () => undefined)),
            told(child)
          ),
          Number
        ),
      kill: Effect.zipRight(
        Effect.sync(() => void child.kill("SIGKILL")),
        gone(child)
      ),
      ended: gone(child)
    }
  })
