// One span for each request, where a tracer was provided: from the route lookup to the end of the response.
import { Context, Effect, Option, Tracer } from "effect"
import type * as Http from "node:http"
import * as RequestSecrets from "../../../src/errors/internal/RequestSecrets.ts"
import type { State } from "../../../src/http/internal/RequestState.ts"
import type { End } from "../../../src/http/internal/RecordedRequest.ts"
import * as ServerSpan from "../../../src/observability/internal/ServerSpan.ts"
import { type Recorder, RequestRecorder } from "../../../src/http/internal/RequestRecorder.ts"
import * as TraceContext from "../../../src/http/internal/TraceContext.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import type { RequestServices } from "../../../src/http/internal/RequestServices.ts"

interface Request {
  readonly req: Http.IncomingMessage
  readonly exchange: State
  readonly services: RequestServices
  readonly startedAt: number
}

/** Opens and ends the spans of requests. */
export interface RequestSpans {
  /** Opens the span, as the parent of what the request does. */
  readonly start: (request: Request) => Tracer.Span
  readonly end: (span: Tracer.Span, exchange: State, end: End) => void
}

const headOf = ({ headers, httpVersion, socket }: Http.IncomingMessage) => ({
  agent: headers["user-agent"],
  scheme: "encrypted" in socket ? "https" : "http",
  version: httpVersion
})

const parentOf = ({ headers }: Http.IncomingMessage): Option.Option<Tracer.AnySpan> => {
  const traceparent = headers["traceparent"]
  if (traceparent === undefined) return Option.none()
  const context = TraceContext.parse(traceparent, headers["tracestate"])
  return context === undefined ? Option.none() : Option.some(TraceContext.toSpan(context))
}

const annotate = (span: Tracer.Span, attributes: Readonly<Record<string, unknown>>): void => {
  for (const name in attributes) span.attribute(name, attributes[name])
}

const withTracer = Effect.gen(function* () {
  const tracer = yield* Tracing.collecting
  if (tracer === undefined) return undefined
  const isLocal = Tracing.isLocal(tracer)
  const clock = yield* Effect.clock
  const isSampling = Tracing.isSampling(tracer)

  // The request was read some time before: it waits for the others of its turn.
  const startOf = ({ exchange, startedAt }: Request): Tracing.Start => ({
    name: ServerSpan.name(exchange),
    context: Context.empty(),
    links: [],
    startTime: clock.unsafeCurrentTimeNanos() - BigInt(Math.round((performance.now() - startedAt) * 1e6)),
    kind: "server"
  })

  const open = (request: Request, parent: Option.Option<Tracer.AnySpan>): Tracer.Span => {
    if (isSampling) return tracer.spanOf(parent, () => startOf(request))
    const { context, kind, links, name, startTime } = startOf(request)
    return tracer.span(name, parent, context, links, startTime, kind)
  }

  return {
    start: (request) => {
      const { exchange, req, services } = request
      const span = open(request, parentOf(req))
      // Most are not sampled: their attributes are not computed.
      if (span.sampled) annotate(span, ServerSpan.started(exchange, headOf(req)))
      if (!isLocal) exchange.trace = span
      services.add(Tracer.ParentSpan, span)
      return span
    },
    end: (span, exchange, end) => {
      if (span.sampled) annotate(span, ServerSpan.ended(exchange, end))
      else if (isSampling) return
      span.end(clock.unsafeCurrentTimeNanos(), ServerSpan.exit(end))
    }
  } satisfies RequestSpans
})

// Form fields become known while the request runs.
const secretsOf = ({ exchange, req }: Request): (() => ReadonlyArray<string>) => {
  const head = { headers: req.headers, url: req.url ?? "" }
  let fields = exchange.fields
  let secrets = RequestSecrets.ofRequest(head, fields)
  return () => {
    if (exchange.fields === fields) return secrets
    fields = exchange.fields
    return (secrets = RequestSecrets.ofRequest(head, fields))
  }
}

const recorded = ({ end, start }: RequestSpans, recorder: Recorder): RequestSpans => ({
  start: (request) => {
    const span = start(request)
    recorder.begin(request.exchange, span, secretsOf(request))
    return span
  },
  end: (span, exchange, how) => {
    end(span, exchange, how)
    recorder.end(exchange, how)
  }
})

/** With the tracer of the program; `undefined` without one. In `development` the requests are recorded. */
export const make: Effect.Effect<RequestSpans | undefined> = Effect.flatMap(RequestRecorder, (recorder) =>
  recorder === undefined
    ? withTracer
    : Effect.map(withTracer, (spans) => (spans === undefined ? undefined : recorded(spans, recorder)))
)
