// Starts the program: `npm run dev` while you write it, `npm start` from the build.
import { Console, Effect, Layer } from "effect"
import { Listening } from "effect-framework"
import { Storage, UncaughtExit } from "effect-framework/layers"
import * as App from "./App.ts"
import * as Settings from "./Settings.ts"

const program = Effect.gen(function* () {
  const settings = yield* Settings.config
  yield* Storage.prepare(settings.server.storage)
  const ready = Effect.flatMap(Listening.Listening, ({ url }) => Console.log(`listening on ${url}`))
  return yield* Layer.launch(Layer.provide(Layer.effectDiscard(ready), App.layer(settings)))
})

UncaughtExit.run(program, { line: Settings.line })
