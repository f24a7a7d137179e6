// Starts the program: `npm run dev` while you write it, `npm start` from the build.
import { Effect, Layer } from "effect"
import { Environment } from "effect-framework"
import { RunMain } from "effect-framework/layers/errors"
import { ProgramLog } from "effect-framework/layers/observability"
import { AppConfig, AppLayer } from "effect-framework/layers/server"
import * as App from "./App.ts"

const program = Effect.gen(function* () {
  const settings = yield* AppConfig.config("my-app")
  const log = Layer.provide(ProgramLog.layer, Environment.layerWith(settings.environment))
  const serving = Layer.provide(AppLayer.announce, App.layer(settings))
  return yield* Effect.provide(Layer.launch(serving), log)
})

RunMain.runMain(program)
