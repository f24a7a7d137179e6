// One span for each request, where a tracer was provided: from the route lookup to the end of the response.
import { Context, Effect, type Exit, Option, type Tracer } from "effect"
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
  readonly state: State
  readonly services: RequestServices
  readonly startedAt: number
}

/** Opens and ends the spans of requests. */
export interface RequestSpans {
  /** Opens the span, as the parent of what the request does. */
  readonly start: (request: Request) => Tracer.Span
  readonly end: (span: Tracer.Span, state: State, end: End) => void
  /** The span of a WebSocket, below the one of its handshake, which has ended: from there to the end of its handler. */
  readonly socket: (span: Tracer.Span, request: Opened, exit: Exit.Exit<unknown, unknown>) => void
}

interface Opened {
  readonly state: State
  /** In milliseconds of `performance.now()`. */
  readonly headAt: number
}

const headOf = ({ headers, httpVersion, socket }: Http.IncomingMessage) => ({
  agent: headers["user-agent"],
  host: headers.host,
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

  // It began some time before: a request waits for the others of its turn.
  const startOf = (name: string, at: number): Tracing.Start => ({
    name,
    context: Context.empty(),
    links: [],
    startTime: clock.unsafeCurrentTimeNanos() - BigInt(Math.round((performance.now() - at) * 1e6)),
    kind: "server"
  })

  const open = (parent: Option.Option<Tracer.AnySpan>, start: () => Tracing.Start): Tracer.Span => {
    if (isSampling) return tracer.spanOf(parent, start)
    const { context, kind, links, name, startTime } = start()
    return tracer.span(name, parent, context, links, startTime, kind)
  }

  return {
    start: (request) => {
      const { state, req, services, startedAt } = request
      const span = open(parentOf(req), () => startOf(ServerSpan.name(state), startedAt))
      // Most are not sampled: their attributes are not computed.
      if (span.sampled) annotate(span, ServerSpan.started(state, headOf(req)))
      if (!isLocal) state.trace = span
      services.add(Tracing.parent, span)
      return span
    },
    end: (span, state, end) => {
      if (span.sampled) annotate(span, ServerSpan.ended(state, end))
      else if (isSampling) return
      span.end(clock.unsafeCurrentTimeNanos(), ServerSpan.exit(end, state))
    },
    socket: (handshake, { state, headAt }, exit) => {
      if (!handshake.sampled) return
      const span = open(Option.some(handshake), () => startOf(ServerSpan.socketName(state), headAt))
      annotate(span, ServerSpan.closed(state, exit))
      span.end(clock.unsafeCurrentTimeNanos(), exit)
    }
  } satisfies RequestSpans
})

// Form fields become known while the request runs.
const secretsOf = ({ state, req }: Request): (() => ReadonlyArray<string>) => {
  const head = { headers: req.headers, url: req.url ?? "" }
  let fields = state.fields
  let secrets = RequestSecrets.ofRequest(head, fields)
  return () => {
    if (state.fields === fields) return secrets
    fields = state.fields
    return (secrets = RequestSecrets.ofRequest(head, fields))
  }
}

const recorded = ({ end, socket, start }: RequestSpans, recorder: Recorder): RequestSpans => ({
  socket,
  start: (request) => {
    const span = start(request)
    recorder.begin(request.state, span, secretsOf(request))
    return span
  },
  end: (span, state, how) => {
    end(span, state, how)
    recorder.end(state, how)
  }
})

/** With the tracer of the program; `undefined` without one. In `development` the requests are recorded. */
export const make: Effect.Effect<RequestSpans | undefined> = Effect.flatMap(RequestRecorder, (recorder) =>
  recorder === undefined
    ? withTracer
    : Effect.map(withTracer, (spans) => (spans === undefined ? undefined : recorded(spans, recorder)))
)
