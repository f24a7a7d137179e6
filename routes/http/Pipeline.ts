// The way of a request, written down once: every route goes through these steps in this order.
import type { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { type Effect, pipe } from "effect"
import type { Miss } from "../../src/http/App.ts"
import * as Catcher from "../errors/Catcher.ts"
import * as BodyLimit from "./BodyLimit.ts"
import * as Envelope from "./Envelope.ts"
import { fallback } from "./Fallback.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

// Read from the bottom: a request enters at the last step and leaves through it.
const steps = <E, R>(handler: Handler<E, R>) => pipe(handler, BodyLimit.limited, Catcher.catching)

/** The program for our own edge, which opens the exchange and seals the answer by itself. */
export const app = <E, R>(routes: ReadonlyArray<HttpLayerRouter.Route<E, R>>) => ({
  routes: routes.map((route) => ({ ...route, handler: steps(route.handler) })),
  fallback: (miss: Miss) => steps(fallback(miss)),
  head: Envelope.head,
  late: Catcher.report
})

/** The same routes for another server: `HttpLayerRouter.addAll(Pipeline.mounted(routes))`. */
export const mounted = <E, R>(routes: ReadonlyArray<HttpLayerRouter.Route<E, R>>) =>
  routes.map((route) => ({
    ...route,
    handler: pipe(steps(route.handler), Envelope.sealed, Envelope.opened(route.path))
  }))
