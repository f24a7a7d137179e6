// The reporters of one process. Each receives every throwable once per request, isolated from the request and the others.
import { type Cause, Context, Duration, Effect, Fiber, Layer, Option, Runtime } from "effect"
import * as ReportLimits from "../../src/errors/internal/ReportLimits.ts"
import { type ReportContext, type Reporter, Reporters, type Secrets } from "../../src/errors/Reporters.ts"
import type * as Throwable from "../../src/errors/Throwable.ts"
import * as CauseThrowables from "../../src/errors/internal/CauseThrowables.ts"
import * as RequestSecrets from "../../src/errors/internal/RequestSecrets.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"
import { RequestState, type State } from "../../src/http/internal/RequestState.ts"

// Set inside a reporter: its own failures are not reported, which would loop.
class Reporting extends Context.Reference<Reporting>()("effect-framework/errors/Reporting", {
  defaultValue: () => false
}) {}

interface Entry {
  readonly report: Reporter
  readonly flush: Effect.Effect<void>
}

const make = Effect.gen(function* () {
  const runtime = yield* Effect.runtime<never>()
  const inside = Runtime.updateContext(runtime, Context.add(Reporting, true))
  const entries = new Set<Entry>()
  // A request keeps the values that failed in it. Outside of all requests these are the nodes of causes: a failure that is
  // passed on keeps its node, one that happens again has another.
  const nodes = new WeakSet<object>()
  const pending = new Set<Fiber.RuntimeFiber<void>>()

  const isFirstIn = (seen: Pick<WeakSet<object>, "has" | "add">, key: object): boolean => {
    if (seen.has(key)) return false
    seen.add(key)
    return true
  }

  // A value that is not an object has no identity. In a request its node identifies it; elsewhere each failure counts,
  // because Effect may share one node for a constant.
  const isFirst = ({ node, value }: Throwable.Throwable, request: State | undefined): boolean => {
    const hasIdentity = (typeof value === "object" && value !== null) || typeof value === "function"
    const key = hasIdentity && request !== undefined ? value : node
    if (key === undefined || (!hasIdentity && request === undefined)) return true
    return isFirstIn(request === undefined ? nodes : (request.reported ??= new Set()), key)
  }

  const interruptLate = (fiber: Fiber.RuntimeFiber<void>) =>
    Effect.sleep(ReportLimits.timeout).pipe(
      Effect.raceFirst(Effect.exit(Fiber.await(fiber))),
      Effect.zipRight(Fiber.interruptFork(fiber)),
      Effect.ensuring(Effect.sync(() => pending.delete(fiber)))
    )

  const wait = (report: Effect.Effect<unknown, unknown>): void => {
    if (pending.size >= ReportLimits.maxPending) return
    const safe = Effect.catchAllCause(report, () => Effect.void)
    const fiber = Runtime.runFork(inside, Effect.interruptible(Effect.asVoid(safe)))
    // Most reporters are done by now; only a slow one needs a second fiber for its timeout.
    if (fiber.unsafePoll() !== null) return
    pending.add(fiber)
    Runtime.runFork(runtime, Effect.interruptible(interruptLate(fiber)))
  }

  const call = (entry: Entry, throwable: Throwable.Throwable, context: ReportContext, secrets: Secrets): void => {
    try {
      const effect = entry.report(throwable, context, secrets)
      if (Effect.isEffect(effect)) wait(effect)
    } catch {
      // A reporter that throws affects nothing else.
    }
  }

  const dispatch = (
    cause: Cause.Cause<unknown>,
    request: State | undefined,
    context: ReportContext,
    secrets: Secrets
  ): void => {
    for (const throwable of CauseThrowables.all(cause)) {
      if (isFirst(throwable, request)) for (const entry of entries) call(entry, throwable, context, secrets)
    }
  }

  const settle = Effect.suspend(() => Fiber.awaitAll([...pending])).pipe(
    Effect.zipRight(
      Effect.suspend(() => Effect.forEach([...entries], ({ flush }) => flush, { concurrency: "unbounded" }))
    ),
    // It also runs during shutdown, in an uninterruptible region, which a disconnected effect would take over.
    Effect.disconnect,
    Effect.interruptible,
    Effect.timeoutOption(Duration.times(ReportLimits.timeout, 2)),
    Effect.asVoid
  )

  return Reporters.of({
    add: (report, flush = Effect.void) => {
      const entry: Entry = { report, flush: Effect.catchAllCause(flush, () => Effect.void) }
      return Effect.acquireRelease(
        Effect.sync(() => entries.add(entry)),
        () => Effect.sync(() => entries.delete(entry))
      )
    },
    notify: (cause, context = {}, secrets) =>
      RequestServices.use((services: Context.Context<never>) => {
        const request = Option.getOrUndefined(Context.getOption(services, RequestState))
        if (!Context.get(services, Reporting)) dispatch(cause, request, context, secrets ?? secretsOf(request))
        return Effect.void
      }),
    settle
  })
})

// Work that outlives its response fails with the values of its request.
const secretsOf =
  (request: State | undefined): Secrets =>
  () =>
    request === undefined ? [] : RequestSecrets.ofRequest(request.head, request.fields)

/** An empty list of reporters; pending reports are delivered before the scope closes. */
export const layer: Layer.Layer<Reporters> = Layer.scoped(
  Reporters,
  Effect.acquireRelease(make, (reporters) => reporters.settle)
)
