// One small route on the real edge, with telemetry or without: `TELEMETRY=1` counts as the demo does, and `TRACING=1` exports
// traces as the variables say.
import { HttpLayerRouter } from "@effect/platform"
import { Console, Effect, Layer } from "effect"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../../layers/errors/RunMain.ts"
import * as TrustedProxies from "../../layers/session/TrustedProxies.ts"
import * as FileFleet from "../../layers/observability/FileFleet.ts"
import * as OtlpTelemetry from "../../layers/observability/OtlpTelemetry.ts"
import * as SocketCounters from "../../layers/observability/internal/SocketCounters.ts"
import * as WorkerObservability from "../../layers/observability/WorkerObservability.ts"
import * as WebServer from "../../layers/server/WebServer.ts"
import * as Sockets from "../../layers/server/Sockets.ts"
import * as Pipeline from "../../routes/server/Pipeline.ts"
import * as Respond from "../../routes/session/Respond.ts"
import * as Telemetry from "../../routes/observability/Telemetry.ts"
import * as Environment from "../../src/config/Environment.ts"
import * as Reporters from "../../src/errors/Reporters.ts"
import * as Sources from "../../src/errors/Sources.ts"
import * as ErrorPages from "../../src/errors/ErrorPages.ts"
import * as RequestEvents from "../../src/observability/RequestEvents.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"

const hello = HttpLayerRouter.route(
  "GET",
  "/hello",
  Effect.sync(() => Respond.json({ hello: "world" }))
)

const edge = Layer.merge(RequestEvents.layer, Sockets.layer)

const counting = Layer.merge(Telemetry.layer, SocketCounters.layer).pipe(
  Layer.provideMerge(FileFleet.layer({ directory: mkdtempSync(join(tmpdir(), "bench-telemetry-")) })),
  Layer.provideMerge(WorkerObservability.layer),
  Layer.provideMerge(edge)
)

const server = WebServer.layer(Pipeline.app(Pipeline.stateless([hello])), { host: "127.0.0.1", port: 0 }).pipe(
  Layer.provide(process.env["TELEMETRY"] === "1" ? counting : edge),
  Layer.provide(
    Layer.mergeAll(
      TrustedProxies.layerWith([]),
      Environment.layerWith("production"),
      Reporters.layerNone,
      Sources.layerNone,
      ErrorPages.layerNone
    )
  ),
  Layer.provide(process.env["TRACING"] === "1" ? OtlpTelemetry.layerConfig : Layer.empty)
)

const ready = Layer.effectDiscard(Effect.flatMap(ServerAddress, ({ url }) => Console.log(`listening on ${url}`)))

run(Layer.launch(Layer.provide(ready, server)))
