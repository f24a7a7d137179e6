// A server in a process of its own: its memory is what the test measures.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Layer } from "effect"
import * as Respond from "../../../routes/session/Respond.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as Serving from "../../support/Serving.ts"

const page = "y".repeat(64 * 1024)

const routes = [
  HttpLayerRouter.route(
    "GET",
    "/page",
    Effect.sync(() => Respond.text(page))
  ),
  HttpLayerRouter.route("GET", "/slow", Effect.as(Effect.sleep("5 millis"), Respond.text(page))),
  HttpLayerRouter.route(
    "GET",
    "/memory",
    Effect.sync(() => Respond.json(process.memoryUsage()))
  )
]

const announce = Effect.flatMap(ServerAddress, ({ port }) => Effect.sync(() => process.send?.({ port })))

Effect.runFork(Layer.launch(Layer.effectDiscard(announce).pipe(Layer.provide(Serving.layer(routes)))))
