// A stream of this process that lines are written to.
import { Effect, type Scope } from "effect"
import type { Writable } from "node:stream"

const ignore = () => undefined

/** A reader of the lines that goes away is no reason to stop serving, as long as the scope lives. */
export const ignoreErrors = (stream: Writable): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => void stream.on("error", ignore)),
    () => Effect.sync(() => void stream.off("error", ignore))
  )
