// Two routes that fail: one with a response of its own, one with an exception.
import { HttpLayerRouter, HttpServerRespondable, HttpServerResponse } from "@effect/platform"
import { Effect, Layer, Schema } from "effect"
import { Environment } from "effect-framework/config"
import { ErrorPages, Reporters, Sources } from "effect-framework/errors"
import { WorkerReporters } from "effect-framework/layers/errors"
import { TrustedProxies } from "effect-framework/layers/session"
import { Pipeline } from "effect-framework/routes/server"

class SoldOut extends Schema.TaggedError<SoldOut>()("SoldOut", { cup: Schema.String }) {
  [HttpServerRespondable.symbol]() {
    return HttpServerResponse.text("This cup is sold out.", { status: 409 })
  }
}

const routes = [
  HttpLayerRouter.route("GET", "/order", new SoldOut({ cup: "blue" })),
  HttpLayerRouter.route("GET", "/boil", Effect.die(new Error("The kettle is empty")))
]

const printing = Reporters.layer((throwable, { method, uri }) =>
  console.log(`reported: ${throwable.message} (${method} ${uri})`)
)

const services = Layer.mergeAll(TrustedProxies.layer, Environment.layer, Sources.layerNone, ErrorPages.layerNone).pipe(
  Layer.provideMerge(Layer.provideMerge(printing, WorkerReporters.layer))
)

const program = Effect.gen(function* () {
  const context = yield* Layer.build(services)
  const app = HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.stateless(routes)))
  const { dispose, handler } = HttpLayerRouter.toWebHandler(app, { disableLogger: true })
  const headers = { accept: "application/json" }
  for (const path of ["/order", "/boil"]) {
    const response = yield* Effect.promise(() => handler(new Request(`http://localhost${path}`, { headers }), context))
    console.log(response.status, yield* Effect.promise(() => response.text()))
  }
  yield* Effect.promise(dispose)
})

await Effect.runPromise(Effect.scoped(program))
