// The reporters of one process: each told once about each throwable, each shut off from the request and the others.
import { type Cause, Context, Duration, Effect, Fiber, Layer, Runtime } from "effect"
import { type Facts, type Reporter, Reporters } from "../../src/errors/Reporters.ts"
import * as Throwable from "../../src/errors/Throwable.ts"

/** A report that takes longer is given up. */
export const patience = Duration.seconds(5)

// A storm of errors against a reporter that hangs must not fill the memory with waiting reports.
const mostUnderWay = 1000

// Inside of a reporter: what goes wrong there is not reported again, or it would never end.
class Reporting extends Context.Reference<Reporting>()("errors/Reporting", { defaultValue: () => false }) {}

interface Entry {
  readonly tell: Reporter
  readonly flush: Effect.Effect<void>
}

const make = Effect.gen(function* () {
  const runtime = yield* Effect.runtime<never>()
  const inside = Runtime.updateContext(runtime, Context.add(Reporting, true))
  const entries = new Set<Entry>()
  const seen = new WeakSet<object>()
  const underWay = new Set<Fiber.RuntimeFiber<void>>()

  // A value that is not an object has no identity: each time it is thrown is an occurrence of its own.
  const isFirst = (value: unknown): boolean => {
    if ((typeof value !== "object" || value === null) && typeof value !== "function") return true
    if (seen.has(value)) return false
    seen.add(value)
    return true
  }

  const giveUp = (fiber: Fiber.RuntimeFiber<void>) =>
    Effect.sleep(patience).pipe(
      Effect.raceFirst(Effect.exit(Fiber.await(fiber))),
      Effect.zipRight(Fiber.interruptFork(fiber)),
      Effect.ensuring(Effect.sync(() => underWay.delete(fiber)))
    )

  const wait = (report: Effect.Effect<unknown, unknown>): void => {
    if (underWay.size >= mostUnderWay) return
    const safe = Effect.catchAllCause(report, () => Effect.void)
    const fiber = Runtime.runFork(inside, Effect.interruptible(Effect.asVoid(safe)))
    // Most reporters are done by now; only the others cost a second fiber that watches them.
    if (fiber.unsafePoll() !== null) return
    underWay.add(fiber)
    Runtime.runFork(runtime, Effect.interruptible(giveUp(fiber)))
  }

  const tell = (entry: Entry, throwable: Throwable.Throwable, facts: Facts): void => {
    try {
      const report = entry.tell(throwable, facts)
      if (Effect.isEffect(report)) wait(report)
    } catch {
      // A reporter that throws is its own affair.
    }
  }

  const dispatch = (cause: Cause.Cause<unknown>, facts: Facts): void => {
    for (const throwable of Throwable.all(cause)) {
      if (isFirst(throwable.value)) for (const entry of entries) tell(entry, throwable, facts)
    }
  }

  const settle = Effect.suspend(() => Fiber.awaitAll([...underWay])).pipe(
    Effect.zipRight(
      Effect.suspend(() => Effect.forEach([...entries], ({ flush }) => flush, { concurrency: "unbounded" }))
    ),
    // It also runs while the program ends, where nothing is interruptible by itself.
    Effect.interruptible,
    Effect.disconnect,
    Effect.timeoutOption(Duration.times(patience, 2)),
    Effect.asVoid
  )

  return Reporters.of({
    push: (tell, flush = Effect.void) => {
      const entry: Entry = { tell, flush: Effect.catchAllCause(flush, () => Effect.void) }
      return Effect.acquireRelease(
        Effect.sync(() => entries.add(entry)),
        () => Effect.sync(() => entries.delete(entry))
      )
    },
    notify: (cause, facts = {}) =>
      Effect.contextWith((context) => {
        if (!Context.get(context, Reporting)) dispatch(cause, facts)
      }),
    settle
  })
})

/** An empty list of reporters; what is under way is delivered before the scope closes. */
export const layer: Layer.Layer<Reporters> = Layer.scoped(
  Reporters,
  Effect.acquireRelease(make, (reporters) => reporters.settle)
)
