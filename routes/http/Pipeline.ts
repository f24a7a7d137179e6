// The way of a request, written down once: every route goes through these steps in this order.
import type { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { type Cause, type Effect, pipe } from "effect"
import type { Miss } from "../../src/http/App.ts"
import * as Catcher from "../errors/Catcher.ts"
import * as BodyLimit from "./BodyLimit.ts"
import * as Envelope from "./Envelope.ts"
import { fallback } from "./Fallback.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

// Read from the bottom: a request enters at the last step and leaves through it.
const plain = <E, R>(handler: Handler<E, R>, route: string) =>
  pipe(handler, BodyLimit.limited, Catcher.catching, Envelope.sealed, Envelope.opened(route))

/** Routes behind the pipeline: none of them can fail any more. */
export const routes = <E, R>(given: ReadonlyArray<HttpLayerRouter.Route<E, R>>) =>
  given.map((route) => ({ ...route, handler: plain(route.handler, route.path) }))

/** The program: the routes, and the answers to what none of them takes. */
export const app = <E, R>(given: ReadonlyArray<HttpLayerRouter.Route<E, R>>) => ({
  routes: routes(given),
  fallback: (miss: Miss) => plain(fallback(miss), ""),
  late: (cause: Cause.Cause<unknown>) => pipe(Catcher.report(cause), Envelope.opened(""))
})
