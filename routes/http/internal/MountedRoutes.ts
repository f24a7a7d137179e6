// Which other pages a program has mounted, so that a page links only to those that are there.
import { HttpLayerRouter } from "@effect/platform"
import { Context, type Effect, Option } from "effect"
import * as RouteOptions from "../../../src/http/internal/RouteOptions.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

type Routes = ReadonlyArray<HttpLayerRouter.Route<unknown, unknown>>

/** The routes, each of which knows the paths of all. */
export const linked = <Route extends Routes[number]>(routes: ReadonlyArray<Route>): ReadonlyArray<Route> => {
  const mounted: ReadonlySet<string> = new Set(routes.map(({ path }) => path))
  return routes.map((route) => RouteOptions.add(route, { mounted }))
}

const none: ReadonlySet<string> = new Set()

/** The paths of the program whose request has these services. */
export const of = (services: Context.Context<never>): ReadonlySet<string> => {
  const found = Context.getOption(services, HttpLayerRouter.RouteContext)
  return Option.isSome(found) ? (RouteOptions.of(found.value.route).mounted ?? none) : none
}

/** Whether the program of this request has a route with this path. */
export const has = (path: string): Effect.Effect<boolean> =>
  RequestServices.read((services: Context.Context<never>) => of(services).has(path))
