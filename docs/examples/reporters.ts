import { Effect, Layer, PubSub, Queue } from "effect"
import { Reporters, type Throwable } from "effect-framework/errors"
import { WorkerReporters } from "effect-framework/layers/errors"

interface Failed {
  readonly throwable: Throwable.Throwable
  readonly context: Reporters.ReportContext
}

// Every exception becomes an event of the program's own hub.
const bridge = (hub: PubSub.PubSub<Failed>) =>
  Reporters.layer((throwable, context) => PubSub.publish(hub, { throwable, context }))

const program = Effect.gen(function* () {
  const hub = yield* PubSub.sliding<Failed>(100)
  const events = yield* PubSub.subscribe(hub)
  const job = Effect.dieMessage("The nightly count broke")
  const watched = Effect.catchAllCause(job, (cause) =>
    Effect.flatMap(Reporters.Reporters, ({ notify }) => notify(cause, { uri: "count" }))
  )
  yield* Effect.provide(watched, Layer.provideMerge(bridge(hub), WorkerReporters.layer))
  const { context, throwable } = yield* Queue.take(events)
  console.log(`${context.uri}: ${throwable.message}`)
})

await Effect.runPromise(Effect.scoped(program))
