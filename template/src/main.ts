// Starts the program: `npm run dev` while you write it, `npm start` from the build.
import { Console, Effect, Layer } from "effect"
import { Environment, ServerAddress, StartupError } from "effect-framework"
import { RunMain } from "effect-framework/layers/errors"
import { ProgramLog } from "effect-framework/layers/observability"
import { AppConfig } from "effect-framework/layers/server"
import * as App from "./App.ts"

const program = Effect.gen(function* () {
  const settings = yield* AppConfig.config("my-app")
  const ready = Effect.flatMap(ServerAddress.ServerAddress, ({ url }) => Console.log(`listening on ${url}`))
  const log = Layer.provide(ProgramLog.layer, Environment.layerWith(settings.environment))
  const serving = Layer.provide(Layer.effectDiscard(ready), App.layer(settings))
  return yield* Effect.provide(Layer.launch(serving), log)
})

RunMain.runMain(program, { line: StartupError.line })
