// Two routes that fail: one with an answer, one with an exception.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Layer, Schema } from "effect"
import { Answer, Environment, Reporters, Sources, Views } from "effect-framework"
import { LiveExchanges, WorkerReporters } from "effect-framework/layers"
import { Pipeline } from "effect-framework/routes"

class SoldOut extends Schema.TaggedError<SoldOut>()("SoldOut", { cup: Schema.String }) {
  get [Answer.symbol]() {
    return Answer.of(409, { message: "This cup is sold out." })
  }
}

const routes = [
  HttpLayerRouter.route("GET", "/order", new SoldOut({ cup: "blue" })),
  HttpLayerRouter.route("GET", "/boil", Effect.die(new Error("The kettle is empty")))
]

const printing = Reporters.layer((throwable, { method, uri }) =>
  console.log(`reported: ${throwable.message} (${method} ${uri})`)
)

const services = Layer.mergeAll(LiveExchanges.layer, Environment.layer, Sources.layerNone, Views.layerNone).pipe(
  Layer.provideMerge(Layer.provideMerge(printing, WorkerReporters.layer))
)

const program = Effect.gen(function* () {
  const context = yield* Layer.build(services)
  const app = HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.plain(routes)))
  const { dispose, handler } = HttpLayerRouter.toWebHandler(app, { disableLogger: true })
  const headers = { accept: "application/json" }
  for (const path of ["/order", "/boil"]) {
    const answer = yield* Effect.promise(() => handler(new Request(`http://localhost${path}`, { headers }), context))
    console.log(answer.status, yield* Effect.promise(() => answer.text()))
  }
  yield* Effect.promise(dispose)
})

await Effect.runPromise(Effect.scoped(program))
