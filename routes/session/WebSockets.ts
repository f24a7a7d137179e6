// WebSockets: a route whose connection becomes one, behind the guards of the route and a check of the origin.
import { HttpServerResponse, Socket } from "@effect/platform"
import { Context, Deferred, type Duration, Effect, Option } from "effect"
import { OpenStreams } from "../../src/http/internal/OpenStreams.ts"
import { RequestState } from "../../src/http/internal/RequestState.ts"
import * as RouteOptions from "../../src/http/internal/RouteOptions.ts"
import * as WebSocket from "../../src/http/internal/WebSocket.ts"
import * as Handshake from "./internal/Handshake.ts"
import * as StreamEnd from "./internal/StreamEnd.ts"

export type { OpenStreams } from "../../src/http/internal/OpenStreams.ts"
export type { RequestState } from "../../src/http/internal/RequestState.ts"
export type { ForeignOrigin, UpgradeRequired, WebSocketOptions } from "../../src/http/internal/WebSocket.ts"

/** Lets a route upgrade its connections, up to these limits. On any other route `upgrade` fails. */
export const route = (options: WebSocket.WebSocketOptions = {}) => Handshake.route(options, false)

/**
 * The same for an endpoint of an `HttpApi`: `HttpApiEndpoint.get("live", "/live").annotate(WebSockets.Endpoint, {})`.
 *
 * @example
 * ```ts
 * import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "@effect/platform"
 * import { Effect } from "effect"
 * import { ApiHandlers } from "effect-framework/routes/server"
 * import { WebSockets } from "effect-framework/routes/session"
 *
 * const live = HttpApiEndpoint.get("live", "/live")
 *   .addSuccess(HttpApiSchema.Empty(101))
 *   .annotate(WebSockets.Endpoint, { maxMessage: "16 KiB" })
 *
 * const KitchenApi = HttpApi.make("kitchen").add(HttpApiGroup.make("kitchen").add(live)).prefix("/api")
 *
 * const echo = WebSockets.response((socket) =>
 *   Effect.flatMap(socket.writer, (write) => socket.runRaw((message) => write(message)))
 * )
 *
 * export const handlers = ApiHandlers.group(KitchenApi, "kitchen", (group) => group.handleRaw("live", () => echo))
 * ```
 */
export class Endpoint extends Context.Tag("effect-framework/session/WebSockets/Endpoint")<
  Endpoint,
  WebSocket.WebSocketOptions
>() {}

const reasons = {
  Stopped: new Socket.CloseEvent(1001, "The server stops."),
  SignedOut: new Socket.CloseEvent(1008, "The session has ended.")
}

type Reason = keyof typeof reasons

const signedOut = (isAlive: Effect.Effect<boolean>, interval: Duration.DurationInput): Effect.Effect<Reason> =>
  Effect.as(Effect.repeat(Effect.delay(isAlive, interval), { while: (alive) => alive }), "SignedOut")

/**
 * The response that turns the connection into a WebSocket and runs the handler on it: `(socket) => socket.runRaw(…)`. The
 * socket closes with the handler (1000, or 1011 when it fails), when the server stops (1001) and, behind a guard, when the
 * session or API token ends (1008).
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Effect } from "effect"
 * import { WebSockets } from "effect-framework/routes/session"
 *
 * const shout = WebSockets.response((socket) =>
 *   Effect.gen(function* () {
 *     const write = yield* socket.writer
 *     yield* socket.runRaw((message) => write(String(message).toUpperCase()))
 *   })
 * )
 *
 * export const route = WebSockets.route()(HttpLayerRouter.route("GET", "/shout", shout))
 * ```
 */
export const response = <E, R>(handler: (socket: Socket.Socket) => Effect.Effect<unknown, E, R>) =>
  Effect.gen(function* () {
    const state = yield* RequestState
    const { heartbeat, streams } = RouteOptions.of(state).webSocket ?? WebSocket.limitsOf({})
    const stopped = yield* Deferred.make<Reason>()
    const { enterSocket, onStop } = yield* OpenStreams
    yield* enterSocket(state, streams)
    yield* onStop(() => Deferred.unsafeDone(stopped, Effect.succeed("Stopped")))
    const end = Option.match(yield* StreamEnd.liveness, {
      onNone: () => Deferred.await(stopped),
      onSome: (isAlive) => Effect.race(Deferred.await(stopped), signedOut(isAlive, heartbeat))
    })
    const context = yield* Effect.context<R>()
    const run = (socket: Socket.Socket) =>
      Effect.gen(function* () {
        const write = yield* socket.writer
        yield* Effect.raceFirst(
          handler(socket),
          Effect.flatMap(end, (reason) => write(reasons[reason]))
        )
      }).pipe(
        Effect.scoped,
        // A client that closes, breaks the protocol or goes away is no failure of the program.
        Effect.catchAll((failure) => (Socket.isSocketError(failure) ? Effect.void : Effect.fail(failure))),
        Effect.provide(context)
      )
    return HttpServerResponse.raw(new WebSocket.Upgrade(run), { status: 101 })
  })
