// Server-sent events: a response that stays open and pushes.
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Exit, Mailbox, Option, Stream } from "effect"
import * as Event from "../../src/http/internal/ServerSentEvent.ts"
import { OpenStreams, type StreamLimits } from "../../src/http/internal/OpenStreams.ts"
import { RequestState } from "../../src/http/internal/RequestState.ts"
import * as StreamEnd from "./internal/StreamEnd.ts"

export type { OpenStreams } from "../../src/http/internal/OpenStreams.ts"
export type { RequestState } from "../../src/http/internal/RequestState.ts"
export type { ServerSentEvent } from "../../src/http/internal/ServerSentEvent.ts"

/** The pace of a stream of events, and how many one may have open. */
export interface Options extends StreamLimits {
  /** How often a silent stream sends a comment, and a guarded one looks whether its session or API token lives; 15 seconds. */
  readonly heartbeat?: Duration.DurationInput
  /** How long a client waits before it reconnects; 3 seconds. */
  readonly retry?: Duration.DurationInput
}

const headers = { "cache-control": "no-store", "x-accel-buffering": "no" }

const maxIdLength = 1024

/** The id of the last event that a reconnecting client has got; `None` for a new one. */
export const lastEventId: Effect.Effect<Option.Option<string>, never, HttpServerRequest.HttpServerRequest> = Effect.map(
  HttpServerRequest.HttpServerRequest,
  (request) =>
    Option.filter(Option.fromNullable(request.headers["last-event-id"]), (id) => id !== "" && id.length <= maxIdLength)
)

/**
 * The response that sends these events. It ends with the stream, when the server stops and, behind a guard, when the session
 * or API token ends: then the client reconnects, and the guard decides. 429 when the account or the address has too many open
 * streams, 503 when the worker has.
 */
export const response = <E, R>(
  events: Stream.Stream<Event.ServerSentEvent, E, R>,
  { heartbeat = "15 seconds", retry = "3 seconds", ...limits }: Options = {}
) =>
  Effect.gen(function* () {
    const { enter, onStop } = yield* OpenStreams
    yield* enter(yield* RequestState, limits)
    const isAlive = Option.getOrElse(yield* StreamEnd.liveness, () => Effect.succeed(true))
    // One event waits here, and one to be put here, until the client has read what was sent before.
    const pending = yield* Mailbox.make<string, E>(1)
    const end = () => void pending.unsafeDone(Exit.void)
    yield* onStop(end)
    const texts = Stream.runForEach(events, (event) => pending.offer(Event.encode(event)))
    // A client that still has something to read needs no comment.
    const beat = Effect.map(isAlive, (alive) => (alive ? void pending.unsafeOffer(Event.heartbeat) : end()))
    const context = yield* Effect.context<R>()
    // Two fibers for each stream, and nothing else: hundreds may be closed at once.
    const body = Effect.gen(function* () {
      yield* Effect.forkScoped(Mailbox.into(texts, pending))
      yield* Effect.forkScoped(Effect.forever(Effect.zipRight(Effect.sleep(heartbeat), beat)))
      return Mailbox.toStream(pending)
    }).pipe(Effect.provide(context), Stream.unwrapScoped)
    const opened = Stream.concat(Stream.make(Event.opening(Duration.toMillis(retry))), body)
    return HttpServerResponse.stream(Stream.encodeText(opened), { contentType: "text/event-stream", headers })
  })
