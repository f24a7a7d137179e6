// Server-sent events: a response that stays open and pushes.
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Option, Stream } from "effect"
import * as Event from "../../src/http/internal/ServerSentEvent.ts"
import * as StreamEnd from "./internal/StreamEnd.ts"

export type { ServerSentEvent } from "../../src/http/internal/ServerSentEvent.ts"

/** The pace of a stream of events. */
export interface Options {
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
 * or API token ends: then the client reconnects, and the guard decides. 503 when the worker has too many open streams.
 */
export const response = <E, R>(
  events: Stream.Stream<Event.ServerSentEvent, E, R>,
  { heartbeat = "15 seconds", retry = "3 seconds" }: Options = {}
) =>
  Effect.gen(function* () {
    const end = yield* StreamEnd.of(heartbeat)
    const context = yield* Effect.context<R>()
    const beats = Stream.repeatEffect(Effect.delay(Effect.succeed(Event.heartbeat), heartbeat))
    const texts = Stream.provideContext(Stream.map(events, Event.encode), context)
    const body = Stream.make(Event.opening(Duration.toMillis(retry))).pipe(
      Stream.concat(Stream.merge(texts, beats, { haltStrategy: "left" })),
      Stream.interruptWhen(end),
      Stream.encodeText
    )
    return HttpServerResponse.stream(body, { contentType: "text/event-stream", headers })
  })
