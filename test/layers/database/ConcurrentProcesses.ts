// Several processes on one database, released at the same moment; the result is what each of them printed.
import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { bundle } from "../../support/Bundle.ts"

/** Milliseconds that a test with processes may take on a busy machine. */
export const deadline = 240_000

export const runConcurrently = (
  count: number,
  url: string,
  task: "migrate" | "increment" | "open"
): Effect.Effect<ReadonlyArray<unknown>> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const program = bundle("../layers/database/ConcurrentProcess.ts")
      return Array.from({ length: count }, () => spawn(process.execPath, [program, url, task]))
    }),
    (children) => Effect.promise(() => release(children)),
    (children) =>
      Effect.sync(() => {
        for (const child of children) child.kill("SIGKILL")
      })
  )

const release = async (children: ReadonlyArray<ChildProcess>): Promise<ReadonlyArray<unknown>> => {
  const outputs = children.map(collect)
  await Promise.all(outputs.map((output) => output.ready))
  for (const child of children) child.stdin?.write("go\n")
  return Promise.all(outputs.map((output) => output.result))
}

const collect = (child: ChildProcess) => {
  let out = ""
  let errors = ""
  child.stderr?.on("data", (chunk) => (errors += String(chunk)))
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (chunk) => {
      out += String(chunk)
      if (out.startsWith("ready")) resolve()
    })
    child.once("close", () => reject(new Error(`ended before it was ready:\n${errors}`)))
  })
  const result = once(child, "close").then(([code]): unknown => {
    if (code !== 0) throw new Error(`ended with ${code}:\n${errors}`)
    return JSON.parse(out.split("\n")[1] ?? "")
  })
  return { ready, result }
}
