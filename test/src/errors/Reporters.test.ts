import { describe, expect, it } from "@effect/vitest"
import { Cause, Chunk, Effect, Layer, PubSub, Queue } from "effect"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as Reporters from "../../../src/errors/Reporters.ts"
import type { Throwable } from "../../../src/errors/Throwable.ts"

interface Failed {
  readonly throwable: Throwable
  readonly context: Reporters.ReportContext
}

// The bridge of docs/errors.md: every exception becomes an event of the program's own hub.
const bridge = (hub: PubSub.PubSub<Failed>) =>
  Reporters.layer((throwable, context) => PubSub.publish(hub, { throwable, context }))

describe("Reporters.layer as a bridge to an event hub", () => {
  it.scoped("publishes each exception once to every listener", () =>
    Effect.gen(function* () {
      const hub = yield* PubSub.sliding<Failed>(100)
      const [mail, pager] = [yield* PubSub.subscribe(hub), yield* PubSub.subscribe(hub)]
      const error = new Error("x")
      const program = Effect.gen(function* () {
        const { notify, settle } = yield* Reporters.Reporters
        const cause = Cause.die(error)
        yield* notify(cause, { uri: "/x" })
        yield* notify(cause, { uri: "/y" })
        yield* settle
      })
      yield* Effect.provide(program, bridge(hub).pipe(Layer.provideMerge(WorkerReporters.layer)))
      for (const listener of [mail, pager]) {
        const events = Chunk.toReadonlyArray(yield* Queue.takeAll(listener))
        expect(events.map(({ context, throwable }) => [throwable.value, context.uri])).toEqual([[error, "/x"]])
      }
    })
  )
})
