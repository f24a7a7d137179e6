// Listens on one address and drains when its scope closes: nothing in flight is lost that ends in time.
import { Deferred, type Duration, Effect, Layer, Option } from "effect"
import * as Http from "node:http"
import * as Body from "../../src/http/Body.ts"
import { Exchanges } from "../../src/http/Exchange.ts"
import { RequestEvents } from "../../src/observability/RequestEvents.ts"
import { Listening } from "../../src/server/Listening.ts"
import { StartFailure } from "../../src/server/StartFailure.ts"
import { type Edge, type HttpApp, makeEdge, type Provided } from "./Edge.ts"
import { refuse } from "./Malformed.ts"
import { makeProbe } from "./NativeProbe.ts"
import { Sockets } from "./Sockets.ts"

/** Where to listen, and the bounds of a body and of the drain. */
export interface Options {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** The exact path of the native probe; nothing or an empty text disables it. */
  readonly probe?: string | undefined
  readonly bodyLimit?: number
  /** How long requests in flight may still take once the server stops. */
  readonly drain?: Duration.DurationInput
}

const timeouts = { requestTimeout: 30_000, headersTimeout: 15_000, keepAliveTimeout: 65_000 }

const make = Effect.fnUntraced(function* <R>(app: HttpApp<R>, options: Options) {
  const sockets = yield* Sockets
  const edge = makeEdge({
    app,
    runtime: yield* Effect.runtime<Exclude<R, Provided>>(),
    exchanges: yield* Exchanges,
    events: yield* RequestEvents,
    bodyLimit: options.bodyLimit ?? Body.limit,
    probe: makeProbe(options.probe)
  })
  const server = Http.createServer({ ...timeouts, noDelay: true })
  server.on("request", edge.request)
  server.on("checkContinue", edge.checkContinue)
  server.on("clientError", refuse)
  server.on("connection", sockets.track)
  yield* Effect.acquireRelease(listen(server, options), () => drain(server, edge, options.drain ?? "10 seconds"))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : options.port
  const name = options.host.includes(":") ? `[${options.host}]` : options.host
  return Listening.of({ host: options.host, port, url: `http://${name}:${port}` })
})

/** The services that requests need are provided to this layer, so that they outlive the drain. */
export const layer = <R>(
  app: HttpApp<R>,
  options: Options
): Layer.Layer<Listening, StartFailure, Exclude<R, Provided> | Exchanges | RequestEvents | Sockets> =>
  Layer.scoped(Listening, make(app, options))

const listen = (server: Http.Server, { host, port }: Options): Effect.Effect<void, StartFailure> =>
  Effect.async((resume) => {
    const onError = (error: NodeJS.ErrnoException) => resume(Effect.fail(refusal(error, host, port)))
    server.once("error", onError)
    server.listen({ host, port, backlog: 1024 }, () => {
      server.off("error", onError)
      resume(Effect.void)
    })
  })

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use; stop the other program or set PORT",
  EACCES: "this user may not open that port; set PORT to one above 1023",
  EADDRNOTAVAIL: "this machine has no such address; set HOST to one it has",
  ENOTFOUND: "the host name is not known; set HOST to an address of this machine"
}

const refusal = (error: NodeJS.ErrnoException, host: string, port: number): StartFailure =>
  new StartFailure({
    reason: `cannot listen on ${host}:${port}: ${reasons[error.code ?? ""] ?? error.code ?? error.message}`
  })

const drain = (server: Http.Server, edge: Edge, deadline: Duration.DurationInput): Effect.Effect<void> =>
  Effect.gen(function* () {
    const closed = yield* Deferred.make<void>()
    edge.close()
    server.close(() => Deferred.unsafeDone(closed, Effect.void))
    server.closeIdleConnections()
    const finished = yield* Deferred.await(closed).pipe(Effect.interruptible, Effect.timeoutOption(deadline))
    if (Option.isSome(finished)) return
    yield* Effect.logWarning(`${edge.inFlight()} requests did not finish in time and were cut off`)
    yield* edge.abandon
    server.closeAllConnections()
    yield* Deferred.await(closed)
  })
