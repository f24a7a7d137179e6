// Whether spans are collected, spans that cost nothing when they are not, and what a log line belongs to.
import { Context, DefaultServices, Effect, type Fiber, FiberRef, FiberRefs, Option, Tracer } from "effect"
import { RequestState, type State } from "../../http/internal/RequestState.ts"

/** The service by which the spans inside an effect find their parent. */
export const parent = Tracer.ParentSpan

/** Effect's own tracer, which keeps spans for error messages and sends them nowhere. */
const defaultTracer = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** Whether this tracer was provided. */
const collects = (tracer: Tracer.Tracer): boolean => tracer !== defaultTracer

// Whether a tracer was provided, and not switched off.
const isTraced = (fiber: Fiber.RuntimeFiber<unknown, unknown>): boolean =>
  collects(fiber.currentTracer) && fiber.getFiberRef(FiberRef.currentTracerEnabled)

/** The tracer where spans are collected: for layers that decide it once. */
export const collecting: Effect.Effect<Tracer.Tracer | undefined> = Effect.withFiberRuntime((fiber) =>
  Effect.succeed(isTraced(fiber) ? fiber.currentTracer : undefined)
)

/** Whether spans are collected here. */
export const isOn: Effect.Effect<boolean> = Effect.map(collecting, (tracer) => tracer !== undefined)

/** The first effect where spans are collected, and the second where they are not. */
export const ifOn = <A, E, R, B, E2, R2>(
  collected: Effect.Effect<A, E, R>,
  otherwise: Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E | E2, R | R2> =>
  Effect.withFiberRuntime<A | B, E | E2, R | R2>((fiber) => (isTraced(fiber) ? collected : otherwise))

/** What a span begins with, besides its ids. */
export interface Start {
  readonly name: string
  readonly context: Context.Context<never>
  readonly links: ReadonlyArray<Tracer.SpanLink>
  readonly startTime: bigint
  readonly kind: Tracer.SpanKind
}

/** A tracer that decides whether a trace is sampled before anything else is known of a span. */
export interface Sampling extends Tracer.Tracer {
  /** As `span`; `start` is called only if the trace is sampled, and otherwise the span need not be ended. */
  readonly spanOf: (parent: Option.Option<Tracer.AnySpan>, start: () => Start) => Tracer.Span
}

export const isSampling = (tracer: Tracer.Tracer): tracer is Sampling => "spanOf" in tracer

// A span below one that is not sampled is not sampled either.
const isUnsampled = ({ currentSpan, currentTracer }: Fiber.RuntimeFiber<unknown, unknown>): boolean =>
  currentSpan?.sampled === false && currentSpan._tag === "Span" && isSampling(currentTracer)

/** A span around the effect where spans are collected; without one the effect as it is. */
export const span =
  (name: string, options: Tracer.SpanOptions = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime<A, E, R>((fiber) =>
      !isTraced(fiber) || (options.parent === undefined && isUnsampled(fiber))
        ? effect
        : Effect.useSpan(name, { captureStackTrace: false, ...options }, (made) => Effect.withParentSpan(effect, made))
    )

type Call = (...given: ReadonlyArray<unknown>) => unknown

const around = (name: string, member: unknown): unknown => {
  const traced = (result: unknown): unknown => (Effect.isEffect(result) ? span(name)(result) : result)
  if (typeof member !== "function") return traced(member)
  return (...given: ReadonlyArray<unknown>) => traced((member as Call)(...given))
}

/**
 * The service with a span for each of its effects: `Users.verify` for the member `verify` of `Users`. Where spans are not
 * collected it is the service as it is. A boundary of the type system: every member keeps its type.
 */
export const methods = <Service extends object>(name: string, service: Service): Effect.Effect<Service> =>
  Effect.map(isOn, (isCollected) => {
    if (!isCollected) return service
    const members = Object.entries(service).map(([member, value]) => [member, around(`${name}.${member}`, value)])
    return Object.fromEntries(members) as Service
  })

/** The span that is open where spans are collected. */
export const current: Effect.Effect<Tracer.AnySpan | undefined> = Effect.withFiberRuntime((fiber) =>
  Effect.succeed(isTraced(fiber) ? fiber.currentSpan : undefined)
)

/** The span that is open, whichever tracer made it, unless tracing is switched off. */
export const propagated: Effect.Effect<Tracer.AnySpan | undefined> = Effect.withFiberRuntime((fiber) =>
  Effect.succeed(fiber.getFiberRef(FiberRef.currentTracerEnabled) ? fiber.currentSpan : undefined)
)

const local = new WeakSet<Tracer.Tracer>()

/** Marks a tracer whose spans never leave this process: no log line names their traces. */
export const markLocal = (tracer: Tracer.Tracer): void => void local.add(tracer)

/** Whether the spans of this tracer never leave this process. */
export const isLocal = (tracer: Tracer.Tracer): boolean => local.has(tracer)

/** What a log line is about: the request, its trace and the signed-in account, as far as they are known. The account is its id, never its address. */
interface Correlation {
  readonly id?: string
  readonly trace_id?: string
  readonly span_id?: string
  readonly account?: string
}

type Span = Pick<Tracer.AnySpan, "traceId" | "spanId">

const spanOf = (refs: FiberRefs.FiberRefs, context: Context.Context<never>): Span | undefined => {
  const services = FiberRefs.getOrDefault(refs, DefaultServices.currentServices)
  const tracer = Context.get(services, Tracer.Tracer)
  if (!collects(tracer) || isLocal(tracer)) return undefined
  return Option.getOrUndefined(Context.getOption(context, parent))
}

const correlation = (state: State | undefined, span: Span | undefined): Correlation => ({
  ...(state !== undefined && { id: state.id }),
  ...(span !== undefined && { trace_id: span.traceId, span_id: span.spanId }),
  ...(state?.account !== undefined && { account: state.account })
})

const contextOf = (refs: FiberRefs.FiberRefs): Context.Context<never> =>
  FiberRefs.getOrDefault(refs, FiberRef.currentContext)

/** The request of the fiber that logs. */
export const stateOf = (refs: FiberRefs.FiberRefs): State | undefined =>
  Option.getOrUndefined(Context.getOption(contextOf(refs), RequestState))

/** What a line of the fiber that logs is about. Without a tracer the trace is the one that the client named. */
export const correlationOf = (refs: FiberRefs.FiberRefs): Correlation => {
  const state = stateOf(refs)
  return correlation(state, spanOf(refs, contextOf(refs)) ?? state?.trace)
}
