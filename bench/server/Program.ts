// The demo as it is built, with one route more: the smallest JSON response that goes through the whole pipeline.
import { HttpLayerRouter } from "@effect/platform"
import { Console, Effect, Layer } from "effect"
import * as App from "../../demo/App.ts"
import { runMain } from "../../layers/errors/RunMain.ts"
import * as Settings from "../../demo/Settings.ts"
import * as Storage from "../../layers/server/Storage.ts"
import * as Respond from "../../routes/http/Respond.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"

const hello = HttpLayerRouter.route(
  "GET",
  "/hello",
  Effect.sync(() => Respond.json({ hello: "world" }))
)

const program = Effect.gen(function* () {
  const settings = yield* Settings.config
  yield* Storage.prepare(settings.server.storage)
  const ready = Layer.effectDiscard(Effect.flatMap(ServerAddress, ({ url }) => Console.log(`listening on ${url}`)))
  return yield* Layer.launch(Layer.provide(ready, App.layer(settings, [hello])))
})

runMain(program)
