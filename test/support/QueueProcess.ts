// The queue command as a separate process, with the real environment.
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import * as Queue from "../../app/commands/Queue.ts"
import * as Database from "../../layers/database/Database.ts"
import * as SqlJobs from "../../layers/jobs/SqlJobs.ts"
import * as ConfiguredMailer from "../../layers/mail/ConfiguredMailer.ts"

const command = Queue.send(process.argv.includes("--once") ? "stop" : "wait")

command.pipe(
  Effect.provide(
    Layer.merge(SqlJobs.layer, ConfiguredMailer.layerTransport).pipe(Layer.provideMerge(Database.layerConfig))
  ),
  Effect.tap((status) => Effect.sync(() => void (process.exitCode = status))),
  NodeRuntime.runMain
)
