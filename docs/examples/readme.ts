// Accounts, metrics, error pages, and a page of one's own for those who are signed in.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { Console, Effect, Layer } from "effect"
import { Identity, Listening, PlainLayout, StartFailure } from "effect-framework"
import { Foundation, ProgramSettings, UncaughtExit } from "effect-framework/layers"
import { Access, Assets, AuthRoutes, Metrics, Pipeline, Telemetry } from "effect-framework/routes"

const tea = Effect.map(Identity.CurrentIdentity, ({ email }) => HttpServerResponse.text(`Tea for ${email}`))

const pages = [...AuthRoutes.routes, HttpLayerRouter.route("GET", "/tea", Access.membersOnly(tea))]
const machines = [...Metrics.routes, ...Assets.routes(PlainLayout.assets)]
const app = Pipeline.app([...Pipeline.pages(pages), ...Pipeline.plain(machines)])

const program = Effect.gen(function* () {
  const settings = yield* ProgramSettings.config("teapots")
  const services = Layer.merge(Telemetry.layerBooted, PlainLayout.layer({ name: "Teapots" }))
  const server = Foundation.server(app, settings).pipe(
    Layer.provide(services),
    Layer.provide(Foundation.layer(settings))
  )
  const ready = Effect.flatMap(Listening.Listening, ({ url }) => Console.log(`listening on ${url}`))
  return yield* Layer.launch(Layer.provide(Layer.effectDiscard(ready), server))
})

UncaughtExit.run(program, { line: StartFailure.line })
