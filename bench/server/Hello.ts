// The smallest JSON response that goes through the whole pipeline.
import { HttpLayerRouter } from "@effect/platform"
import { Effect } from "effect"
import * as Respond from "../../routes/session/Respond.ts"

export const route = HttpLayerRouter.route(
  "GET",
  "/hello",
  Effect.sync(() => Respond.json({ hello: "world" }))
)
