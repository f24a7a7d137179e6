// Work after the response, in fibers of this process: bounded while it runs, awaited when the program stops.
import { Context, type Duration, Effect, FiberSet, Layer, Option, Scope } from "effect"
import { Reporters } from "../../src/errors/Reporters.ts"
import * as RequestContext from "../../src/errors/internal/RequestContext.ts"
import { AfterResponse } from "../../src/http/AfterResponse.ts"
import { RequestState } from "../../src/http/internal/RequestState.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"

/** The bounds of the work. */
export interface Options {
  /** How many tasks run at a time. */
  readonly concurrency: number
  /** How many more may wait. Beyond that a request waits before its response, whatever its work is. */
  readonly queue: number
  /** How long running work may still take once the program stops. */
  readonly deadline: Duration.DurationInput
}

const defaults: Options = { concurrency: 16, queue: 1000, deadline: "5 seconds" }

const make = Effect.fnUntraced(function* ({ concurrency, deadline, queue }: Options) {
  const reporters = yield* Reporters
  const room = yield* Effect.makeSemaphore(concurrency + queue)
  const running = yield* Effect.makeSemaphore(concurrency)
  const fibers = yield* FiberSet.make<void>()
  yield* Effect.addFinalizer(() => settle(fibers, deadline))

  const run = <E, R>(work: Effect.Effect<void, E, R>): Effect.Effect<void, never, R | RequestState | Scope.Scope> =>
    RequestServices.use((context: Context.Context<R | RequestState | Scope.Scope>) => {
      const facts = RequestContext.of(Context.get(context, RequestState))
      const task = work.pipe(
        running.withPermits(1),
        Effect.catchAllCause((cause) => reporters.notify(cause, facts)),
        Effect.provide(context),
        Effect.interruptible,
        Effect.ensuring(room.release(1))
      )
      const begin = Effect.asVoid(FiberSet.run(fibers, task))
      // The scope of a request closes when its response has been written.
      return Effect.uninterruptibleMask((restore) =>
        Effect.zipRight(restore(room.take(1)), Scope.addFinalizer(Context.get(context, Scope.Scope), begin))
      )
    })

  return AfterResponse.of({ run })
})

/**
 * Work after the response, within these bounds. Provide the services that the work uses below this layer: then they
 * outlive it.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { BoundedAfterResponse, WorkerReporters } from "effect-framework/layers/errors"
 * import { ConfiguredMailer } from "effect-framework/layers/mail"
 *
 * // The mailer is below: a program that stops closes it after the work that sends mail.
 * export const services = BoundedAfterResponse.layer({ concurrency: 4, deadline: "20 seconds" }).pipe(
 *   Layer.provideMerge(Layer.merge(ConfiguredMailer.layer, WorkerReporters.layer))
 * )
 * ```
 */
export const layer = (options: Partial<Options> = {}): Layer.Layer<AfterResponse, never, Reporters> =>
  Layer.scoped(AfterResponse, make({ ...defaults, ...options }))

const settle = (fibers: FiberSet.FiberSet<void>, deadline: Duration.DurationInput): Effect.Effect<void> =>
  Effect.gen(function* () {
    const settled = yield* FiberSet.awaitEmpty(fibers).pipe(Effect.interruptible, Effect.timeoutOption(deadline))
    if (Option.isSome(settled)) return
    yield* Effect.logWarning(`${yield* FiberSet.size(fibers)} pieces of work did not finish in time and were cut off`)
  })
