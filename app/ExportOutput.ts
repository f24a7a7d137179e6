// Where an export is written: standard output, or a file that appears whole or not at all.
import { Data, Effect } from "effect"
import { randomUUID } from "node:crypto"
import { open, realpath, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Writable } from "node:stream"

/** The output cannot be written; `reason` says why. */
class OutputFailed extends Data.TaggedError("OutputFailed")<{ readonly reason: string }> {}

/** The reader of a pipe has stopped reading, as `head` does. */
class ReaderGone extends Data.TaggedError("ReaderGone") {}

/** Writes a text and waits until it is taken. */
export type Write = (text: string) => Effect.Effect<void, OutputFailed | ReaderGone>

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : String(error)

const gone = new Set(["EPIPE", "ERR_STREAM_DESTROYED"])

/** A stream, which stays open. */
export const stream = (output: Writable): Effect.Effect<Write> =>
  Effect.sync(() => {
    // The callback of each write has the same error; without a listener it would end the process.
    output.on("error", () => {})
    return (text) =>
      Effect.async((resume) => {
        output.write(text, (error) => {
          if (error === null || error === undefined) return resume(Effect.void)
          const code = codeOf(error)
          resume(
            gone.has(code) ? new ReaderGone() : new OutputFailed({ reason: `the output cannot be written: ${code}` })
          )
        })
      })
  })

/** A new file beside the given one takes its place when `use` succeeds, and is removed otherwise. Only its owner may read it. */
export const file = <A, E, R>(
  path: string,
  use: (write: Write) => Effect.Effect<A, E, R>
): Effect.Effect<A, E | OutputFailed, R> => {
  const attempt = <B>(work: () => Promise<B>): Effect.Effect<B, OutputFailed> =>
    Effect.tryPromise({
      try: work,
      catch: (error) => new OutputFailed({ reason: `${path} cannot be written: ${codeOf(error)}` })
    })
  return Effect.gen(function* () {
    // A link keeps pointing at its file. A device must not be replaced by one.
    const target = yield* Effect.orElseSucceed(
      attempt(() => realpath(path)),
      () => path
    )
    const found = yield* Effect.option(attempt(() => stat(target)))
    if (found._tag === "Some" && !found.value.isFile()) {
      return yield* new OutputFailed({ reason: `${path} is not a file` })
    }
    const draft = join(dirname(target), `.export-${randomUUID()}.part`)
    const remove = Effect.promise(() => rm(draft, { force: true }))
    return yield* Effect.acquireUseRelease(
      attempt(() => open(draft, "wx", 0o600)),
      (handle) =>
        Effect.gen(function* () {
          const result = yield* use((text) => Effect.asVoid(attempt(() => handle.writeFile(text))))
          yield* attempt(() => handle.sync())
          yield* attempt(() => rename(draft, target))
          return result
        }),
      (handle) =>
        Effect.ensuring(
          Effect.promise(() => handle.close()),
          remove
        )
    )
  })
}
