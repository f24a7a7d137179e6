// One span for each request, where a tracer was provided: from the route lookup to the end of the response.
import { Clock, Context, DefaultServices, Effect, Option, Tracer } from "effect"
import type * as Http from "node:http"
import type { State } from "../../src/http/Exchange.ts"
import * as ServerSpan from "../../src/observability/ServerSpan.ts"
import * as TraceContext from "../../src/observability/TraceContext.ts"
import * as Tracing from "../../src/observability/Tracing.ts"
import type { RequestServices } from "./RequestServices.ts"

interface Request {
  readonly req: Http.IncomingMessage
  readonly exchange: State
  readonly services: RequestServices
}

/** Opens and ends the spans of requests. */
export interface RequestSpans {
  /** Opens the span, as the parent of what the request does. */
  readonly start: (request: Request) => Tracer.Span
  readonly end: (span: Tracer.Span, exchange: State, end: ServerSpan.End) => void
}

const headOf = ({ headers, httpVersion, socket }: Http.IncomingMessage) => ({
  agent: headers["user-agent"],
  scheme: "encrypted" in socket ? "https" : "http",
  version: httpVersion
})

const parentOf = ({ headers }: Http.IncomingMessage): Option.Option<Tracer.AnySpan> => {
  const context = TraceContext.parse(headers["traceparent"], headers["tracestate"])
  return context === undefined ? Option.none() : Option.some(TraceContext.toSpan(context))
}

const annotate = (span: Tracer.Span, attributes: Readonly<Record<string, unknown>>): void => {
  for (const name in attributes) span.attribute(name, attributes[name])
}

/** With the tracer of the program; `undefined` without one. */
export const make: Effect.Effect<RequestSpans | undefined> = Effect.withFiberRuntime((fiber) => {
  if (!Tracing.isTraced(fiber)) return Effect.succeed(undefined)
  const tracer = fiber.currentTracer
  const clock = Context.get(fiber.getFiberRef(DefaultServices.currentServices), Clock.Clock)

  return Effect.succeed({
    start: ({ exchange, req, services }) => {
      const now = clock.unsafeCurrentTimeNanos()
      const span = tracer.span(ServerSpan.name(exchange), parentOf(req), Context.empty(), [], now, "server")
      // Most are not sampled: their attributes are not computed.
      if (span.sampled) annotate(span, ServerSpan.started(exchange, headOf(req)))
      exchange.trace = span
      services.set(Tracer.ParentSpan.key, span)
      return span
    },
    end: (span, exchange, end) => {
      if (span.sampled) annotate(span, ServerSpan.ended(exchange, end))
      span.end(clock.unsafeCurrentTimeNanos(), ServerSpan.exit(end))
    }
  } satisfies RequestSpans)
})
