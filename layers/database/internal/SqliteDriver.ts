// A build of the driver with which Node.js ends: https://github.com/nodejs/node/issues/65446
import { Effect, Option } from "effect"
import * as Fs from "node:fs"
import { createRequire } from "node:module"
import * as Path from "node:path"

const isAffected = (node: string): boolean => {
  const [major = 0, minor = 0] = node.split(".").map(Number)
  return major === 24 && minor >= 19
}

// Version 12 gets this call from the headers of Node.js that it is compiled with; 13 is built on Node-API.
const call = "RemoveEnvironmentCleanupHook"

const calls = Option.liftThrowable((read: () => Buffer) => read().includes(call))

/** Says what to do where this Node.js would abort with the driver in this file; a file that cannot be read is no problem. */
export const problem = (node: string, read: () => Buffer): Option.Option<string> =>
  isAffected(node) && Option.contains(calls(read), true)
    ? Option.some(
        `Node.js ${node} aborts as soon as it collects garbage of better-sqlite3 12 as it was compiled here. ` +
          `Run npm pkg set 'overrides.better-sqlite3=^13.0.3' && npm install, or use Node.js 22 or 26.`
      )
    : Option.none()

const binary = (): Buffer => {
  const manifest = createRequire(import.meta.url).resolve("better-sqlite3/package.json")
  return Fs.readFileSync(Path.join(Path.dirname(manifest), "build", "Release", "better_sqlite3.node"))
}

/** Logs it as a warning. */
export const warn: Effect.Effect<void> = Effect.suspend(() =>
  Option.match(problem(process.versions.node, binary), {
    onNone: () => Effect.void,
    onSome: (text) => Effect.logWarning(text)
  })
)
