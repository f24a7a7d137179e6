// Several processes on one database that start a task at the same moment.
import { Effect } from "effect"
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { Job } from "../layers/auth/AuthProcess.ts"
import { bundle } from "./Bundle.ts"

/** Milliseconds that a test with processes may take on a busy machine. */
export const deadline = 240_000

const linesOf = (child: ChildProcessWithoutNullStreams) => {
  let errors = ""
  child.stderr.on("data", (chunk) => (errors += String(chunk)))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async (): Promise<string> => {
    const { done, value } = await lines.next()
    if (done === true) throw new Error(`a process has ended:\n${errors}`)
    return value
  }
}

// A process that has printed its first line: it is ready.
const start = (program: string, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn(process.execPath, [program, ...args])
      const next = linesOf(child)
      await next()
      return { child, next }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Runs a database task in so many processes at once; the result is what each of them printed. */
export const runConcurrently = (
  count: number,
  url: string,
  task: "migrate" | "increment" | "open"
): Effect.Effect<ReadonlyArray<unknown>> =>
  Effect.gen(function* () {
    const program = bundle("../layers/database/DatabaseProcess.ts")
    const all = yield* Effect.all(
      Array.from({ length: count }, () => start(program, [url, task])),
      { concurrency: count }
    )
    return yield* Effect.promise(async () => {
      for (const { child } of all) child.stdin.write("go\n")
      const printed = await Promise.all(all.map(({ next }) => next()))
      return printed.map((line): unknown => JSON.parse(line))
    })
  }).pipe(Effect.scoped)

export interface ConcurrentProcesses {
  /** The outcomes of all attempts of both processes. */
  readonly run: (task: Job["task"], subject: string, times: number) => Effect.Effect<ReadonlyArray<string>>
}

/** Two processes with the stores of authentication, until the scope closes. */
export const twoProcesses = (url: string) =>
  Effect.gen(function* () {
    const program = bundle("../layers/auth/AuthProcess.ts")
    const both = yield* Effect.all([start(program, [url]), start(program, [url])], { concurrency: 2 })
    const run: ConcurrentProcesses["run"] = (task, subject, times) =>
      Effect.promise(async () => {
        const job: Job = { task, subject, times, at: Date.now() + 50 }
        for (const { child } of both) child.stdin.write(`${JSON.stringify(job)}\n`)
        const outcomes = await Promise.all(both.map(({ next }) => next()))
        return outcomes.flatMap((line) => JSON.parse(line) as ReadonlyArray<string>)
      })
    return { run } satisfies ConcurrentProcesses
  })
