// Several processes at one database, let go at the same moment; what each of them printed.
import { Effect } from "effect"
import { buildSync } from "esbuild"
import { type ChildProcess, spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import * as Fs from "node:fs"
import { fileURLToPath } from "node:url"

/** Milliseconds that a test with processes may take on a machine that has much else to do. */
export const deadline = 120_000

export const contest = (
  count: number,
  url: string,
  task: "migrate" | "increment" | "open"
): Effect.Effect<ReadonlyArray<unknown>> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const program = bundle()
      const children = Array.from({ length: count }, () => spawn(process.execPath, [program, url, task]))
      return { program, children }
    }),
    ({ children }) => Effect.promise(() => compete(children)),
    ({ program, children }) =>
      Effect.sync(() => {
        for (const child of children) child.kill("SIGKILL")
        Fs.rmSync(program)
      })
  )

// A bundle is up in a fifth of the time that the sources take. It lies where the native driver is found.
const bundle = (): string => {
  const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const outfile = at(`../../../node_modules/.cache/contender-${randomUUID()}.mjs`)
  buildSync({
    entryPoints: [at("./ConcurrentProcess.ts")],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    external: ["better-sqlite3", "pg-native"],
    banner: { js: `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);` }
  })
  return outfile
}

const compete = async (children: ReadonlyArray<ChildProcess>): Promise<ReadonlyArray<unknown>> => {
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
