// The demo as it is built, with a few routes more.
import { Console, Effect, Layer } from "effect"
import { writeFileSync } from "node:fs"
import * as App from "../../demo/App.ts"
import * as Settings from "../../demo/Settings.ts"
import { run } from "../../layers/errors/RunMain.ts"
import * as Storage from "../../layers/server/internal/Storage.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"
import * as ErrorPage from "../errors/ErrorPage.ts"
import * as Hello from "./Hello.ts"

const program = Effect.gen(function* () {
  const settings = yield* Settings.config
  yield* Storage.prepare(settings.server.storage)
  const ready = Layer.effectDiscard(Effect.flatMap(ServerAddress, ({ url }) => Console.log(`listening on ${url}`)))
  return yield* Layer.launch(Layer.provide(ready, App.layer(settings, [Hello.route, ...ErrorPage.routes])))
})

// The bench of memory starts it with `--expose-gc`, and reads from this file what is still in use.
process.on("SIGUSR2", () => {
  globalThis.gc?.()
  if (process.env["BENCH_HEAP"] !== undefined)
    writeFileSync(process.env["BENCH_HEAP"], String(process.memoryUsage().heapUsed))
})

run(program)
