// The framework on another server: the services of its routes, and a node:http server for Effect's stock `HttpServer`, which
// listens before the program that it serves is built.
import { Effect, Layer } from "effect"
import * as Http from "node:http"
import * as Auth from "../../src/auth/AuthConfig.ts"
import * as Environment from "../../src/config/Environment.ts"
import * as ServerConfig from "../../src/config/internal/ServerConfig.ts"
import * as SqlAuthentication from "../auth/SqlAuthentication.ts"
import * as Migrations from "../database/Migrations.ts"
import * as Tables from "../database/Tables.ts"
import * as ErrorPages from "../../src/errors/ErrorPages.ts"
import * as BoundedAfterResponse from "../errors/BoundedAfterResponse.ts"
import * as FileErrorPages from "../errors/FileErrorPages.ts"
import * as FileSources from "../errors/FileSources.ts"
import * as WorkerReporters from "../errors/WorkerReporters.ts"
import * as TemporaryUploads from "../session/TemporaryUploads.ts"
import * as TrustedProxies from "../session/TrustedProxies.ts"
import type { Additions } from "./AppLayer.ts"
import * as Storage from "./internal/Storage.ts"
import * as StreamPlaces from "./internal/StreamPlaces.ts"

export type { OpenStreams } from "../../src/http/internal/OpenStreams.ts"

/** Requests that may wait while the layers are built; beyond that they get 503. */
const maxWaiting = 1000

/**
 * For `NodeHttpServer.layer(Mount.createServer, …)`: requests that come before the routes are mounted wait for them.
 * With Node's own `createServer` they would never get a response.
 */
export const createServer = (): Http.Server => {
  const server = Http.createServer({ connectionsCheckingInterval: 500, headersTimeout: 15_000, requestTimeout: 30_000 })
  const waiting: Array<readonly [Http.IncomingMessage, Http.ServerResponse]> = []
  const hold = (req: Http.IncomingMessage, res: Http.ServerResponse) => {
    if (waiting.length < maxWaiting) return void waiting.push([req, res])
    res.writeHead(503, { "retry-after": "1", connection: "close" })
    res.end()
  }
  const mounted = (event: string | symbol) => {
    if (event !== "request") return
    server.off("newListener", mounted).off("request", hold)
    // The event fires before the listener is added.
    queueMicrotask(() => {
      for (const [req, res] of waiting.splice(0)) if (!res.destroyed) server.emit("request", req, res)
    })
  }
  return server.on("request", hold).on("newListener", mounted)
}

const pages = (folder: string | undefined) =>
  folder === undefined ? ErrorPages.layerNone : FileErrorPages.layer(folder)

const uploads = Layer.unwrapEffect(
  Effect.map(ServerConfig.storage, (folder) => TemporaryUploads.layer(Storage.uploads(folder)))
)

/**
 * The places of event streams and WebSockets, for a program on another server that takes its services one by one.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { NodeHttpServer, NodeRuntime } from "@effect/platform-node"
 * import { Layer, Stream } from "effect"
 * import { Environment } from "effect-framework/config"
 * import { ErrorPages, Reporters, Sources } from "effect-framework/errors"
 * import { Mount } from "effect-framework/layers/server"
 * import { TrustedProxies } from "effect-framework/layers/session"
 * import { Pipeline } from "effect-framework/routes/server"
 * import { ServerSentEvents } from "effect-framework/routes/session"
 *
 * const ready = ServerSentEvents.response(Stream.make({ event: "ready", data: "Tea is ready" }))
 * const kettle = Pipeline.stateless([HttpLayerRouter.route("GET", "/kettle", ready)])
 * const routes = HttpLayerRouter.addAll(Pipeline.mounted(kettle))
 *
 * // Events without accounts or a database, on Effect's own server.
 * HttpLayerRouter.serve(routes, { disableLogger: true }).pipe(
 *   Layer.provide([Mount.layerStreams, TrustedProxies.layer, Environment.layer]),
 *   Layer.provide([ErrorPages.layerNone, Reporters.layerNone, Sources.layerNone]),
 *   Layer.provide(NodeHttpServer.layer(Mount.createServer, { port: 8080 })),
 *   Layer.launch,
 *   NodeRuntime.runMain
 * )
 * ```
 */
export const layerStreams = StreamPlaces.layer

/**
 * The services that `Pipeline.mounted` needs on another server: everything on top of the program's own database, mailer
 * and layout. Migrates; the settings come from the environment. Add reporters with `Reporters.layer`.
 *
 * `Mount.layer().pipe(Layer.provideMerge(Layer.mergeAll(database, mailer, layout)))`
 */
export const layer = ({ migrations = {}, tables = Tables.defaults, views }: Additions = {}) =>
  BoundedAfterResponse.layer().pipe(
    Layer.provideMerge(
      Layer.mergeAll(SqlAuthentication.layerWith({ tables }), TrustedProxies.layer, uploads, layerStreams)
    ),
    Layer.provide(Migrations.layerWith(migrations, { tables })),
    Layer.provideMerge(Layer.mergeAll(Auth.layer, WorkerReporters.layer, FileSources.layer, pages(views))),
    Layer.provideMerge(Environment.layer)
  )
