// Two processes on one database, given the same job at the same moment.
import { Effect } from "effect"
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { bundle } from "../../support/Bundle.ts"
import type { Job } from "./ConcurrentProcess.ts"

export interface ConcurrentProcesses {
  /** The outcomes of all attempts of both processes. */
  readonly run: (task: Job["task"], subject: string, times: number) => Effect.Effect<ReadonlyArray<string>>
}

const linesOf = (child: ChildProcessWithoutNullStreams) => {
  let complaints = ""
  child.stderr.on("data", (chunk) => (complaints += String(chunk)))
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return async (): Promise<string> => {
    const { done, value } = await lines.next()
    if (done === true) throw new Error(`a process has ended:\n${complaints}`)
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
export const twoProcesses = (url: string) =>
  Effect.gen(function* () {
    const program = bundle("../layers/auth/ConcurrentProcess.ts")
    const both = yield* Effect.all([start(program, url), start(program, url)], { concurrency: 2 })
    const run: ConcurrentProcesses["run"] = (task, subject, times) =>
      Effect.promise(async () => {
        const job: Job = { task, subject, times, at: Date.now() + 50 }
        for (const { child } of both) child.stdin.write(`${JSON.stringify(job)}\n`)
        const outcomes = await Promise.all(both.map(({ next }) => next()))
        return outcomes.flatMap((line) => JSON.parse(line) as ReadonlyArray<string>)
      })
    return { run } satisfies ConcurrentProcesses
  })
