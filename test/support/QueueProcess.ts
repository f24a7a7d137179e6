// The queue command as a separate process, with the real environment and a lease short enough to wait for in a test.
import { NodeRuntime } from "@effect/platform-node"
import { Config, Effect, Layer } from "effect"
import * as Queue from "../../app/commands/Queue.ts"
import * as Database from "../../layers/database/Database.ts"
import * as ConfiguredMailer from "../../layers/mail/ConfiguredMailer.ts"
import * as SqlMailQueue from "../../layers/mail/SqlMailQueue.ts"

const queue = Layer.unwrapEffect(
  Effect.map(Config.integer("TEST_LEASE"), (lease) => SqlMailQueue.layerWith({ lease }))
).pipe(Layer.provide(Database.layerConfig))

const command = Queue.send(process.argv.includes("--once") ? "stop" : "wait")

command.pipe(
  Effect.provide(Layer.merge(queue, ConfiguredMailer.layerTransport)),
  Effect.tap((status) => Effect.sync(() => void (process.exitCode = status))),
  NodeRuntime.runMain
)
