// The real demo as a separate process: on a free port, with its own storage folder, ended with the scope.
import { Effect } from "effect"
import { join } from "node:path"
import { inject } from "vitest"
import { folder, type Process, start } from "./NodeProcess.ts"

/** What a server says on standard error when it does not start: the message of one JSON line, and a line break. */
export const refusalOf = (stderr: string): string => {
  const { channel, level, message, timestamp } = JSON.parse(stderr)
  if (channel !== "program" || level !== "FATAL" || Number.isNaN(Date.parse(timestamp))) throw new Error(stderr)
  return `${message}${stderr.endsWith("}\n") ? "\n" : ""}`
}

export { type End, folder, type Process, root, start } from "./NodeProcess.ts"

export interface Demo extends Process {
  readonly url: string
  readonly storage: string
}

/** What starts the demo, and its commands: as they are built for production. */
export const main = (): ReadonlyArray<string> => [join(inject("demo"), "main.mjs")]
export const command = (...words: ReadonlyArray<string>): ReadonlyArray<string> => [...main(), ...words]

// The least that is allowed: every start hashes the passwords of the accounts that it makes.
const quick = { AUTH_ARGON2_MEMORY: "19456", AUTH_ARGON2_TIME: "2" }

/** Starts the demo and waits until it listens. Its passwords are hashed quickly unless the variables say otherwise. */
export const demo = Effect.fnUntraced(function* (env: Readonly<Record<string, string>> = {}) {
  const storage = env["STORAGE_DIR"] ?? (yield* folder)
  const process = yield* start(main(), { PORT: "0", STORAGE_DIR: storage, ...quick, ...env })
  const [, url = ""] = yield* process.says(/listening on (http:\/\/\S+)/)
  const demo: Demo = { ...process, url, storage }
  return demo
})
