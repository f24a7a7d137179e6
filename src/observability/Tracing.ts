// Whether spans are collected, and spans that cost nothing when they are not.
import { Context, DefaultServices, Effect, type Fiber, FiberRef, Tracer } from "effect"

/** Effect's own tracer, which keeps spans for error messages and sends them nowhere. */
const defaultTracer = Context.get(DefaultServices.liveServices, Tracer.Tracer)

/** Whether this tracer was provided. */
export const collects = (tracer: Tracer.Tracer): boolean => tracer !== defaultTracer

/** Whether a tracer was provided, and not switched off. */
export const isTraced = (fiber: Fiber.RuntimeFiber<unknown, unknown>): boolean =>
  collects(fiber.currentTracer) && fiber.getFiberRef(FiberRef.currentTracerEnabled)

/** Whether spans are collected here: for layers that decide it once. */
export const isOn: Effect.Effect<boolean> = Effect.withFiberRuntime((fiber) => Effect.succeed(isTraced(fiber)))

/** A span around the effect where spans are collected; without one the effect as it is. */
export const span =
  (name: string, options: Tracer.SpanOptions = {}) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime<A, E, R>((fiber) =>
      isTraced(fiber)
        ? Effect.useSpan(name, { captureStackTrace: false, ...options }, (made) => Effect.withParentSpan(effect, made))
        : effect
    )

type Call = (...given: ReadonlyArray<unknown>) => unknown

const around = (name: string, member: unknown): unknown => {
  const traced = (result: unknown): unknown => (Effect.isEffect(result) ? span(name)(result) : result)
  if (typeof member !== "function") return traced(member)
  return (...given: ReadonlyArray<unknown>) => traced((member as Call)(...given))
}

/**
 * The service with a span for each of its effects: `Users.verify` for the member `verify` of `Users`. A boundary of the
 * type system: every member keeps its type.
 */
export const methods = <Service extends object>(name: string, service: Service): Service =>
  Object.fromEntries(
    Object.entries(service).map(([member, value]) => [member, around(`${name}.${member}`, value)])
  ) as Service

/** The span that is open where spans are collected. */
export const current: Effect.Effect<Tracer.AnySpan | undefined> = Effect.withFiberRuntime((fiber) =>
  Effect.succeed(isTraced(fiber) ? fiber.currentSpan : undefined)
)

const local = new WeakSet<Tracer.Tracer>()

/** Marks a tracer whose spans never leave this process: no log line names their traces. */
export const markLocal = (tracer: Tracer.Tracer): void => void local.add(tracer)

/** Whether the spans of this tracer never leave this process. */
export const isLocal = (tracer: Tracer.Tracer): boolean => local.has(tracer)
