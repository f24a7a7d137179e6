// The HTTP server: listens on one address and drains the requests in flight when its scope closes.
import { Clock, Context, Deferred, Duration, Effect, Layer, Option, type Scope } from "effect"
import * as Http from "node:http"
import { Server as NetServer, type Socket } from "node:net"
import { AuthConfig } from "../../src/auth/AuthConfig.ts"
import { Environment } from "../../src/config/Environment.ts"
import { defaultLimit } from "../../src/http/internal/RouteOptions.ts"
import { RequestStates } from "../../src/http/internal/RequestState.ts"
import { OpenStreams } from "../../src/http/internal/OpenStreams.ts"
import * as RouteOptions from "../../src/http/internal/RouteOptions.ts"
import { HealthChecks } from "../../src/observability/HealthChecks.ts"
import { RequestEvents } from "../../src/observability/RequestEvents.ts"
import { RequestRecorder } from "../../src/http/internal/RequestRecorder.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"
import { StartupError } from "../../src/config/StartupError.ts"
import * as DuplicateRoute from "./internal/DuplicateRoute.ts"
import { type Edge, makeEdge } from "./internal/Edge.ts"
import type { HttpApp, Provided } from "./internal/HttpApp.ts"
import { makeProbe } from "./internal/NativeProbe.ts"
import * as RequestCheck from "./internal/RequestCheck.ts"
import * as RequestSpans from "./internal/RequestSpans.ts"
import { Sockets } from "./Sockets.ts"
import * as StreamPlaces from "./internal/StreamPlaces.ts"
import * as WebSockets from "./internal/WebSockets.ts"

/** The address, and the limits of requests, responses and the drain. */
export interface Options {
  readonly host: string
  /** 0 takes a free port. */
  readonly port: number
  /** The exact path of the native probe; `undefined` or an empty string disables it. */
  readonly probe?: string | undefined
  /** Whether `/health`, `/readyz` and `/metrics` are in the access log and in traces; `true`. A failed one is logged anyway. */
  readonly recordProbes?: boolean
  readonly bodyLimit?: number
  /** How long requests in flight may still take once the server stops. */
  readonly drain?: Duration.DurationInput
  /**
   * How long the server still takes requests once it is to stop, while `/readyz` fails (where `HealthChecks` is provided)
   * and every response closes its connection. None by default. Longer than a load balancer takes to notice.
   */
  readonly shutdownDelay?: Duration.DurationInput
  /**
   * How long connections without a request stay open once the server stops. None by default. Where other workers take the next
   * requests, a client that sends one at that moment must not lose it: the response to it closes the connection.
   */
  readonly idleGrace?: Duration.DurationInput
  /** How long the head of a request may take to come; 15 seconds. */
  readonly headersTimeout?: Duration.DurationInput
  /** How long a whole request may take to come; 30 seconds. */
  readonly requestTimeout?: Duration.DurationInput
  /** How long a connection stays open between two requests; 65 seconds. */
  readonly keepAliveTimeout?: Duration.DurationInput
  /** How long a client may take nothing of the response that it is sent; 30 seconds. */
  readonly writeTimeout?: Duration.DurationInput
  /** How many requests may wait on a connection behind the one in progress; 32. With more it is closed. */
  readonly pipelined?: number
  /** How many responses of `ServerSentEvents` and WebSockets a worker has open at once; 1000 of each. With more they get 503. */
  readonly streams?: number
  /** Host names besides loopback and `APP_URL`'s that `development` accepts. */
  readonly hosts?: ReadonlyArray<string>
}

// How exact the timeouts are: node looks for what is late this often.
const checkingInterval = 500

/** How long the server keeps reading an unread body, and from a refused client. */
const linger = 5000

const milliseconds = (given: Duration.DurationInput | undefined, standard: number): number =>
  given === undefined ? standard : Duration.toMillis(given)

const createServer = ({ headersTimeout, keepAliveTimeout }: Options, request: number, longest: number): Http.Server => {
  const server = Http.createServer({
    requestTimeout: longest,
    headersTimeout: Math.min(milliseconds(headersTimeout, 15_000), request),
    keepAliveTimeout: milliseconds(keepAliveTimeout, 65_000),
    connectionsCheckingInterval: checkingInterval,
    // These are refused like everything that is malformed: by the check, not by node.
    requireHostHeader: false,
    noDelay: true
  })
  server.maxHeadersCount = 0
  return server
}

/** DNS rebinding: another site whose name resolves to this machine must not read the pages of `development`. */
const acceptedHosts = Effect.fnUntraced(function* ({ hosts = [] }: Options) {
  if ((yield* Environment) !== "development") return undefined
  const settings = yield* Effect.serviceOption(AuthConfig)
  const own = Option.map(settings, ({ appUrl }) => new URL(appUrl).host).pipe(Option.toArray)
  const names = new Set([...own, ...hosts].map(RequestCheck.nameOf))
  return (name: string) => RequestCheck.isLoopback(name) || names.has(name)
})

// A route of the program's own is stronger.
const withDevelopment = <R>(app: HttpApp<R>): HttpApp<R> => {
  const taken = new Set(app.routes.map(({ method, path }) => `${method} ${path}`))
  const added = (app.development ?? []).filter(({ method, path }) => !taken.has(`${method} ${path}`))
  return { ...app, routes: [...app.routes, ...added] }
}

const make = Effect.fnUntraced(function* <R>(given: HttpApp<R>, options: Options) {
  const app = (yield* RequestRecorder) === undefined ? given : withDevelopment(given)
  const duplicate = DuplicateRoute.find(app.routes)
  if (duplicate !== undefined) return yield* new StartupError({ reason: duplicate, entry: "two-routes" })
  const sockets = yield* Sockets
  const bodyLimit = options.bodyLimit ?? defaultLimit
  const requestTimeout = milliseconds(options.requestTimeout, 30_000)
  // Programs without WebSockets do not load the package, and node answers their `Upgrade` headers like any others.
  const upgrades = app.routes.some((route) => RouteOptions.of(route).webSocket !== undefined)
  const places = StreamPlaces.make(options.streams ?? StreamPlaces.defaultLimit)
  const webSockets = upgrades
    ? WebSockets.make({ ws: yield* Effect.promise(() => import("ws")), places, open: sockets.webSockets })
    : undefined
  const runtime = yield* Effect.runtime<Exclude<R, Provided>>()
  const edge = makeEdge({
    app,
    runtime: { ...runtime, context: Context.add(runtime.context, OpenStreams, places.service) },
    states: yield* RequestStates,
    events: yield* RequestEvents,
    bodyLimit,
    bounds: { pipelined: options.pipelined ?? 32, discard: 8 * bodyLimit, linger },
    requestTimeout,
    spans: yield* RequestSpans.make,
    check: RequestCheck.make(yield* acceptedHosts(options)),
    probe: makeProbe(options.probe),
    recordsProbes: options.recordProbes ?? true,
    webSockets,
    decline: (socket) => void unlistened.emit("connection", socket)
  })
  const stated = app.routes.map((route) => RouteOptions.of(route).requestTimeout ?? 0)
  const longest = Math.max(requestTimeout, ...stated)
  const server = createServer(options, requestTimeout, longest)
  // Node leaves every request with an `Upgrade` header to a server with WebSockets, also one with a body that only offers
  // HTTP/2. One without parses it like any other.
  const unlistened = createServer(options, requestTimeout, longest)
  for (const one of [server, unlistened]) {
    one.on("checkContinue", edge.checkContinue)
    one.on("checkExpectation", edge.checkExpectation)
    one.on("connect", edge.connect)
    one.on("clientError", edge.clientError)
  }
  server.on("request", edge.request)
  unlistened.on("request", edge.declined)
  server.on("connection", sockets.track)
  server.on("connection", (socket) => socket.prependListener("end", edge.clientEnd))
  if (upgrades) server.on("upgrade", edge.upgrade)
  // One millisecond apart from the time between requests, which is another timer of the same socket.
  yield* watchReaders(sockets.open, milliseconds(options.writeTimeout, 30_000) + 1)
  const checks = yield* Effect.serviceOption(HealthChecks)
  yield* Effect.acquireRelease(listen(server, options), () =>
    Effect.sync(edge.close).pipe(
      Effect.zipRight(unready(checks, options.shutdownDelay ?? Duration.zero)),
      Effect.zipRight(Effect.sync(places.stop)),
      Effect.zipRight(drain(server, sockets.open, edge, options))
    )
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : options.port
  const name = options.host.includes(":") ? `[${options.host}]` : options.host
  return ServerAddress.of({
    host: options.host,
    port,
    url: `http://${name}:${port}`,
    paths: app.routes.map(({ path }) => path)
  })
})

// A tracer that the program provides above the recorder is recorded as well.
const recorded = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(RequestRecorder, (recorder) =>
    recorder === undefined
      ? effect
      : Effect.flatMap(Effect.tracer, (tracer) => Effect.withTracer(effect, recorder.wrap(tracer)))
  )

/** Provide the services of the requests to this layer: then they outlive the drain. */
export const layer = <R>(
  app: HttpApp<R>,
  options: Options
): Layer.Layer<
  ServerAddress,
  StartupError,
  Exclude<R, Provided> | Environment | RequestStates | RequestEvents | Sockets
> => Layer.scoped(ServerAddress, recorded(make(app, options)))

const listen = (server: Http.Server, { host, port }: Options): Effect.Effect<void, StartupError> =>
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

const refusal = (error: NodeJS.ErrnoException, host: string, port: number): StartupError =>
  new StartupError({
    reason: `cannot listen on ${host}:${port}: ${reasons[error.code ?? ""] ?? error.code ?? error.message}`,
    entry: "the-port"
  })

// A load balancer that was not told would send its next requests to a closed port.
const unready = (checks: Option.Option<Context.Tag.Service<HealthChecks>>, delay: Duration.DurationInput) =>
  Duration.equals(delay, Duration.zero)
    ? Effect.void
    : Option.match(checks, { onNone: () => Effect.void, onSome: ({ push }) => push(stopping) }).pipe(
        Effect.zipRight(Effect.sleep(delay)),
        Effect.scoped
      )

const stopping = { name: "process", check: Effect.fail("it stops") }

/** How long a request may still take to come on a connection that has brought none. */
const unusedGrace = "1 second"

// Browsers and proxies open connections before they need them. Node takes one without a byte for a request that is coming.
const closeUnused = (open: ReadonlySet<Socket>) =>
  Effect.sync(() => open.forEach((socket) => socket.bytesRead === 0 && socket.destroy()))

// A server stops although a test has stopped its clock.
const realTime = Effect.withClock(Clock.make())

const drain = (
  server: Http.Server,
  open: ReadonlySet<Socket>,
  edge: Edge,
  { drain: deadline = "10 seconds", idleGrace = Duration.zero }: Options
): Effect.Effect<void> =>
  Effect.gen(function* () {
    const closed = yield* Deferred.make<void>()
    // That of http closes the idle connections as well.
    NetServer.prototype.close.call(server, () => Deferred.unsafeDone(closed, Effect.void))
    const closeIdle = Effect.sync(() => void server.close())
    const finished = yield* Effect.raceFirst(
      Deferred.await(closed),
      Effect.delay(closeIdle, idleGrace).pipe(
        Effect.zipRight(Effect.delay(closeUnused(open), unusedGrace)),
        Effect.zipRight(Effect.never)
      )
    ).pipe(Effect.interruptible, Effect.timeoutOption(deadline), realTime)
    if (Option.isSome(finished)) return
    yield* Effect.logWarning(`${edge.inFlight()} requests did not finish in time and were cut off`)
    yield* edge.interruptAll
    server.closeAllConnections()
    edge.cutUpgraded()
    yield* Deferred.await(closed)
  })

// Disconnects clients that do not read their response. Costs a request nothing: sockets are checked once a second.
const checkReaders = (sockets: ReadonlySet<Socket>, timeout: number): void => {
  for (const socket of sockets) {
    // Node's own timer sees progress inside a single large write, which no public property shows. When it runs out,
    // node:http destroys the socket.
    if (socket.writableLength > 0) {
      if (socket.timeout !== timeout) socket.setTimeout(timeout)
    } else if (socket.timeout === timeout) socket.setTimeout(0)
  }
}

// From now on a client must read some of the pending bytes within this many milliseconds.
const watchReaders = (sockets: ReadonlySet<Socket>, timeout: number): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => setInterval(() => checkReaders(sockets, timeout), Math.min(1000, timeout / 2)).unref()),
    (timer) => Effect.sync(() => clearInterval(timer))
  )
