// A standard stream of this process.
import { Effect, type Scope } from "effect"
import type { Writable } from "node:stream"

const ignore = () => undefined

/** Ignores write errors until the scope closes: the server keeps running when the reader of a pipe exits. */
export const ignoreErrors = (stream: Writable): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => void stream.on("error", ignore)),
    () => Effect.sync(() => void stream.off("error", ignore))
  )
