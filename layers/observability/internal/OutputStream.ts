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

/** Bytes that may wait for a reader. */
export const maxWaiting = 4 * 1024 * 1024

/**
 * Writes lines to a stream. A pipe takes 64 KiB, and what its reader has not read then waits in memory: beyond a limit lines
 * are dropped, and the line of `notice` says how many before the next one that is written.
 */
export const lines = (stream: Writable, notice: (count: number, at: Date) => string): ((text: string) => void) => {
  let dropped = 0
  return (text) => {
    if (stream.writableLength > maxWaiting) {
      dropped += text.split("\n").length - 1
      return
    }
    stream.write(dropped === 0 ? text : `${notice(dropped, new Date())}\n${text}`)
    dropped = 0
  }
}
