// Starts the program: `npm run dev` while you write it, `npm start` from the build.
import { Console, Effect, Layer } from "effect"
import { Environment, Listening, StartFailure } from "effect-framework"
import { ProgramLog, ProgramSettings, UncaughtExit } from "effect-framework/layers"
import * as App from "./App.ts"

const program = Effect.gen(function* () {
  const settings = yield* ProgramSettings.config("my-app")
  const ready = Effect.flatMap(Listening.Listening, ({ url }) => Console.log(`listening on ${url}`))
  const log = Layer.provide(ProgramLog.layer, Environment.layerOf(settings.environment))
  const serving = Layer.provide(Layer.effectDiscard(ready), App.layer(settings))
  return yield* Effect.provide(Layer.launch(serving), log)
})

UncaughtExit.run(program, { line: StartFailure.line })
