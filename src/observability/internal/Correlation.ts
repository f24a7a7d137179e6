// What a log line is about: the request, its trace, and the account that is signed in.
import { Context, DefaultServices, FiberRef, FiberRefs, Option, Tracer } from "effect"
import { RequestState, type State } from "../../http/internal/RequestState.ts"
import * as Tracing from "./Tracing.ts"

/** The parts that are known. The account is its id, never its address. */
export interface Correlation {
  readonly id?: string
  readonly trace_id?: string
  readonly span_id?: string
  readonly account?: string
}

type Span = Pick<Tracer.AnySpan, "traceId" | "spanId">

const spanOf = (refs: FiberRefs.FiberRefs, context: Context.Context<never>): Span | undefined => {
  const services = FiberRefs.getOrDefault(refs, DefaultServices.currentServices)
  const tracer = Context.get(services, Tracer.Tracer)
  if (!Tracing.collects(tracer) || Tracing.isLocal(tracer)) return undefined
  return Option.getOrUndefined(Context.getOption(context, Tracer.ParentSpan))
}

const make = (state: State | undefined, span: Span | undefined): Correlation => ({
  ...(state !== undefined && { id: state.id }),
  ...(span !== undefined && { trace_id: span.traceId, span_id: span.spanId }),
  ...(state?.account !== undefined && { account: state.account })
})

const contextOf = (refs: FiberRefs.FiberRefs): Context.Context<never> =>
  FiberRefs.getOrDefault(refs, FiberRef.currentContext)

/** The request of the fiber that logs. */
export const stateOf = (refs: FiberRefs.FiberRefs): State | undefined =>
  Option.getOrUndefined(Context.getOption(contextOf(refs), RequestState))

/** From the fiber that logs. Without a tracer the trace is the one that the client named. */
export const of = (refs: FiberRefs.FiberRefs): Correlation => {
  const state = stateOf(refs)
  return make(state, spanOf(refs, contextOf(refs)) ?? state?.trace)
}
