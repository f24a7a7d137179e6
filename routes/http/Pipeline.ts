// The way of a request, written down once: every route goes through these steps in this order.
import type { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { type Effect, pipe } from "effect"
import type { Miss } from "../../src/http/App.ts"
import * as Catcher from "../errors/Catcher.ts"
import * as BodyLimit from "./BodyLimit.ts"
import * as CsrfCheck from "./CsrfCheck.ts"
import * as Envelope from "./Envelope.ts"
import { fallback } from "./Fallback.ts"
import * as SessionCookie from "./SessionCookie.ts"

type Route<E, R> = HttpLayerRouter.Route<E, R>
type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

// Read from the bottom: a request enters at the last step and leaves through it.
const outer = <E, R>(handler: Handler<E, R>) => pipe(handler, BodyLimit.limited, Catcher.catching)

const inner = <E, R>(handler: Handler<E, R>) => pipe(handler, CsrfCheck.checked, SessionCookie.committed)

/** Routes that people and their programs use: with a session, and every POST behind the CSRF check. */
export const pages = <E, R>(routes: ReadonlyArray<Route<E, R>>) =>
  routes.map((route) => ({ ...route, handler: outer(inner(route.handler)) }))

/** Routes for machines, without a session: probes, scrapes, files. They must change nothing. */
export const plain = <E, R>(routes: ReadonlyArray<Route<E, R>>) =>
  routes.map((route) => ({ ...route, handler: outer(route.handler) }))

/** The program for our own edge, which opens the exchange and seals the answer by itself. */
export const app = <R>(routes: ReadonlyArray<Route<never, R>>) => ({
  routes,
  fallback: (miss: Miss) => outer(fallback(miss)),
  head: Envelope.head,
  late: Catcher.report
})

/** The same routes for another server: `HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.pages(routes)))`. */
export const mounted = <R>(routes: ReadonlyArray<Route<never, R>>) =>
  routes.map((route) => ({ ...route, handler: pipe(route.handler, Envelope.sealed, Envelope.opened(route.path)) }))
