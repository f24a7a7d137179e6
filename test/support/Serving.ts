// A real server on a free loopback port, made from routes, for as long as a test's scope lives.
import type { HttpLayerRouter } from "@effect/platform"
import { Layer } from "effect"
import * as TrustedProxies from "../../layers/session/TrustedProxies.ts"
import * as WebServer from "../../layers/server/WebServer.ts"
import * as Sockets from "../../layers/server/Sockets.ts"
import * as Pipeline from "../../routes/server/Pipeline.ts"
import type { Network } from "../../src/session/internal/ForwardedFor.ts"
import * as Environment from "../../src/config/Environment.ts"
import * as Reporters from "../../src/errors/Reporters.ts"
import * as Sources from "../../src/errors/Sources.ts"
import * as ErrorPages from "../../src/errors/ErrorPages.ts"
import * as RequestEvents from "../../src/observability/RequestEvents.ts"
import * as CountedAfterResponse from "../../testing/CountedAfterResponse.ts"
import * as MemoryMailer from "../../testing/MemoryMailer.ts"
import * as WorkCounter from "../../testing/WorkCounter.ts"
import { unchecked } from "./Unchecked.ts"

export interface Options extends Partial<Parameters<typeof WebServer.layer>[1]> {
  readonly environment?: Environment.Name
  readonly trusted?: ReadonlyArray<Network>
}

/** What the pipeline needs and no test of the server is about: exceptions are not reported and error pages are empty. */
export const support = ({ environment = "production", trusted = [] }: Options = {}) =>
  Layer.mergeAll(
    TrustedProxies.layerWith(trusted),
    RequestEvents.layer,
    Sockets.layer,
    Environment.layerWith(environment),
    Reporters.layerNone,
    Sources.layerNone,
    ErrorPages.layerNone
  )

/** For guards, which send a message after a theft: it stays in memory. */
export const messages = Layer.merge(MemoryMailer.layer, CountedAfterResponse.layer).pipe(
  Layer.provide(Layer.merge(WorkCounter.layer, Reporters.layerNone))
)

/** Serves the routes through the whole pipeline; `ServerAddress` has its address. */
export const layer = <E, R>(routes: ReadonlyArray<HttpLayerRouter.Route<E, R>>, options: Options = {}) =>
  WebServer.layer(Pipeline.app(Pipeline.stateless(unchecked(routes))), { host: "127.0.0.1", port: 0, ...options }).pipe(
    Layer.provideMerge(support(options))
  )
