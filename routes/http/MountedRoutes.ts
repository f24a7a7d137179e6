// Which other pages a program has mounted, so that a page links only to those that are there.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option } from "effect"
import * as RouteOptions from "../../src/http/RouteOptions.ts"

type Routes = ReadonlyArray<HttpLayerRouter.Route<unknown, unknown>>

/** The routes, each of which knows the paths of all. */
export const linked = <Route extends Routes[number]>(routes: ReadonlyArray<Route>): ReadonlyArray<Route> => {
  const mounted: ReadonlySet<string> = new Set(routes.map(({ path }) => path))
  return routes.map((route) => RouteOptions.add(route, { mounted }))
}

/** Whether the program of this request has a route with this path. */
export const has = (path: string): Effect.Effect<boolean> =>
  Effect.map(Effect.serviceOption(HttpLayerRouter.RouteContext), (found) =>
    Option.exists(found, ({ route }) => RouteOptions.of(route).mounted?.has(path) === true)
  )
