// Records what requests do: their spans and their log lines, for the pages of `development`. Loaded only there, with the
// mailbox of the file transport.
import { Effect, Layer, Logger } from "effect"
import * as LogFormat from "../../../src/observability/internal/LogFormat.ts"
import { type Recorder, RequestRecorder } from "../../../src/http/internal/RequestRecorder.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import * as Delivery from "../../../src/mail/internal/Delivery.ts"
import type { MailConfig } from "../../../src/mail/MailConfig.ts"
import * as FileExceptionLog from "../../errors/internal/FileExceptionLog.ts"
import * as FileMailbox from "../../mail/internal/FileMailbox.ts"
import * as SharedRequests from "./SharedRequests.ts"
import * as MemoryRecorder from "./MemoryRecorder.ts"
import * as OtlpTracer from "../../observability/internal/OtlpTracer.ts"

const textOf = (entry: Logger.Logger.Options<unknown>): string => {
  const { errors = [], facts = {}, message } = LogFormat.details(entry)
  const pairs = Object.entries(facts).map(([name, value]) => `${name}=${value}`)
  return [message, ...pairs, ...errors.map((error) => `${error.class}: ${error.message}`)].join(" ")
}

const logger = (recorder: Recorder): Logger.Logger<unknown, void> =>
  Logger.make((entry) => {
    const state = Tracing.stateOf(entry.context)
    if (state !== undefined) recorder.log(state, { level: entry.logLevel.label, text: textOf(entry) })
  })

// Its spans stay in this process: nothing is to name their trace.
const localTracer = () => {
  const tracer = OtlpTracer.make(
    () => true,
    () => {}
  )
  Tracing.markLocal(tracer)
  return tracer
}

const recording = Effect.gen(function* () {
  const clock = yield* Effect.clock
  const own = MemoryRecorder.make({ now: () => clock.unsafeCurrentTimeNanos() })
  const recorder: Recorder = { ...own, all: yield* SharedRequests.make(own) }
  const tracer = (yield* Tracing.collecting) ?? localTracer()
  return Layer.mergeAll(
    Layer.succeed(RequestRecorder, recorder),
    Layer.setTracer(recorder.wrap(tracer)),
    Logger.add(logger(recorder))
  )
})

/** Records the requests of servers above it, with the tracer below it, else with one of its own. */
export const layer: Layer.Layer<never> = Layer.unwrapScoped(recording)

/** What a program has in `development`: the recorder, its log of exceptions, and the mailbox where its mail is in files. */
export const layerWith = ({ transport }: MailConfig, exceptions: string): Layer.Layer<never> => {
  const delivery = Delivery.of(transport)
  const mailbox = delivery._tag === "File" ? FileMailbox.layer({ folder: delivery.folder }) : Layer.empty
  return Layer.mergeAll(layer, FileExceptionLog.layer(exceptions), mailbox)
}
