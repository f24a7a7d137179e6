// The reporters of one process: each told once about each throwable and request, apart from the request and the others.
import { type Cause, Context, Duration, Effect, Fiber, Layer, Option, Runtime } from "effect"
import { type ReportContext, type Reporter, Reporters, type Secrets } from "../../src/errors/Reporters.ts"
import * as Throwable from "../../src/errors/Throwable.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import * as InterpreterGuard from "./InterpreterGuard.ts"

/** A report that takes longer is given up. */
export const reportTimeout = Duration.seconds(5)

// A storm of errors against a reporter that hangs must not fill the memory with waiting reports.
const mostUnderWay = 1000

// Inside of a reporter: what goes wrong there is not reported again, or it would never end.
class Reporting extends Context.Reference<Reporting>()("effect-framework/errors/Reporting", {
  defaultValue: () => false
}) {}

interface Entry {
  readonly tell: Reporter
  readonly flush: Effect.Effect<void>
}

const make = Effect.gen(function* () {
  yield* InterpreterGuard.install
  const runtime = yield* Effect.runtime<never>()
  const inside = Runtime.updateContext(runtime, Context.add(Reporting, true))
  const entries = new Set<Entry>()
  // The values that failed in a request, and outside of all requests the nodes of causes: a failure that is passed on
  // keeps its node, one that happens again has another.
  const requests = new WeakMap<object, WeakSet<object>>()
  const nodes = new WeakSet<object>()
  const underWay = new Set<Fiber.RuntimeFiber<void>>()

  const isFirstIn = (seen: WeakSet<object>, key: object): boolean => {
    if (seen.has(key)) return false
    seen.add(key)
    return true
  }

  const valuesOf = (request: object): WeakSet<object> => {
    const known = requests.get(request)
    if (known !== undefined) return known
    const values = new WeakSet<object>()
    requests.set(request, values)
    return values
  }

  // A value that is not an object has no identity. In a request its node tells whether it is the same; elsewhere each
  // time it is thrown is one of its own, because Effect may keep one node for a constant.
  const isFirst = ({ node, value }: Throwable.Throwable, request: object | undefined): boolean => {
    const hasIdentity = (typeof value === "object" && value !== null) || typeof value === "function"
    const key = hasIdentity && request !== undefined ? value : node
    if (key === undefined || (!hasIdentity && request === undefined)) return true
    return isFirstIn(request === undefined ? nodes : valuesOf(request), key)
  }

  const giveUp = (fiber: Fiber.RuntimeFiber<void>) =>
    Effect.sleep(reportTimeout).pipe(
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

  const tell = (entry: Entry, throwable: Throwable.Throwable, facts: ReportContext, secrets: Secrets): void => {
    try {
      const report = entry.tell(throwable, facts, secrets)
      if (Effect.isEffect(report)) wait(report)
    } catch {
      // A reporter that throws is its own affair.
    }
  }

  const dispatch = (
    cause: Cause.Cause<unknown>,
    request: object | undefined,
    facts: ReportContext,
    secrets: Secrets
  ): void => {
    for (const throwable of Throwable.all(cause)) {
      if (isFirst(throwable, request)) for (const entry of entries) tell(entry, throwable, facts, secrets)
    }
  }

  const settle = Effect.suspend(() => Fiber.awaitAll([...underWay])).pipe(
    Effect.zipRight(
      Effect.suspend(() => Effect.forEach([...entries], ({ flush }) => flush, { concurrency: "unbounded" }))
    ),
    // It also runs while the program ends, where nothing is interruptible by itself.
    Effect.interruptible,
    Effect.disconnect,
    Effect.timeoutOption(Duration.times(reportTimeout, 2)),
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
    notify: (cause, facts = {}, secrets = () => []) =>
      Effect.contextWith((context) => {
        const request = Option.getOrUndefined(Context.getOption(context, Exchange))
        if (!Context.get(context, Reporting)) dispatch(cause, request, facts, secrets)
      }),
    settle
  })
})

/** An empty list of reporters; what is under way is delivered before the scope closes. */
export const layer: Layer.Layer<Reporters> = Layer.scoped(
  Reporters,
  Effect.acquireRelease(make, (reporters) => reporters.settle)
)
