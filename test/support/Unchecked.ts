// Routes that may fail with anything, for tests of what happens to a failure that no one handles.
import type { HttpLayerRouter } from "@effect/platform"

type Given = ReadonlyArray<HttpLayerRouter.Route<unknown, unknown>>

/** The same routes, without the failures in their types. */
export const unchecked = <const Routes extends Given>(routes: Routes) =>
  routes as unknown as ReadonlyArray<HttpLayerRouter.Route<never, HttpLayerRouter.Route.Context<Routes[number]>>>
