// The handlers of a program, by the name of their job.
import { Context, type Duration, Effect, Layer, type ParseResult, type Schedule } from "effect"

/** What the worker needs of a job and its handler. */
export interface Handler {
  readonly name: string
  readonly queue: string
  readonly retry: Schedule.Schedule<unknown, unknown>
  readonly timeout: Duration.DurationInput
  readonly transactional: boolean
  readonly erase: boolean
  /** Reads a stored payload; the result runs one attempt. */
  readonly read: (
    text: string
  ) => Effect.Effect<
    (attempt: { readonly id: string; readonly attempt: number }) => Effect.Effect<unknown, unknown>,
    ParseResult.ParseError
  >
}

/** Filled by the layers of the handlers, read by the worker. */
export class Handlers extends Context.Tag("effect-framework/jobs/Handlers")<
  Handlers,
  {
    readonly add: (handler: Handler) => Effect.Effect<void>
    readonly find: (name: string) => Handler | undefined
    /** The queues of all handlers, each once. */
    readonly queues: () => ReadonlyArray<string>
  }
>() {}

/** No handlers yet. */
export const layer: Layer.Layer<Handlers> = Layer.sync(Handlers, () => {
  const known = new Map<string, Handler>()
  return {
    add: (handler) =>
      Effect.suspend(() => {
        if (known.has(handler.name)) return Effect.dieMessage(`The job ${handler.name} has two handlers`)
        known.set(handler.name, handler)
        return Effect.void
      }),
    find: (name) => known.get(name),
    queues: () => [...new Set(Array.from(known.values(), ({ queue }) => queue))]
  }
})
