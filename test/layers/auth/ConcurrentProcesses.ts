// Two processes on one database, given the same job at the same moment.
import { Effect } from "effect"
import { buildSync } from "esbuild"
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { Job } from "./ConcurrentProcess.ts"

export interface ConcurrentProcesses {
  /** The outcomes of all attempts of both processes. */
  readonly compete: (task: Job["task"], subject: string, times: number) => Effect.Effect<ReadonlyArray<string>>
}

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

// A bundle is up in a fifth of the time that the sources take. It lies where the native drivers are found.
const bundle = Effect.acquireRelease(
  Effect.sync(() => {
    const outfile = at(`../../../node_modules/.cache/rival-${randomUUID()}.mjs`)
    buildSync({
      entryPoints: [at("./ConcurrentProcess.ts")],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      external: ["better-sqlite3", "pg-native", "argon2", "bcrypt"],
      banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` }
    })
    return outfile
  }),
  (outfile) => Effect.sync(() => Fs.rmSync(outfile))
)

const linesOf = (child: ChildProcessWithoutNullStreams) => {
  let complaints = ""
  child.stderr.on("data", (chunk) => (complaints += String(chunk)))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async (): Promise<string> => {
    const { done, value } = await lines.next()
    if (done === true) throw new Error(`a rival has ended:\n${complaints}`)
    return value
  }
}

const start = (program: string, url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [program, url])
      const next = linesOf(child)
      await next()
      return { child, next }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Both processes, until the scope closes. */
export const rivals = (url: string) =>
  Effect.gen(function* () {
    const program = yield* bundle
    const both = yield* Effect.all([start(program, url), start(program, url)], { concurrency: 2 })
    const compete: ConcurrentProcesses["compete"] = (task, subject, times) =>
      Effect.promise(async () => {
        const job: Job = { task, subject, times, at: Date.now() + 50 }
        for (const { child } of both) child.stdin.write(`${JSON.stringify(job)}\n`)
        const outcomes = await Promise.all(both.map(({ next }) => next()))
        return outcomes.flatMap((line) => JSON.parse(line) as ReadonlyArray<string>)
      })
    return { compete } satisfies ConcurrentProcesses
  })
