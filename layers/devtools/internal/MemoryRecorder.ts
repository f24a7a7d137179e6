// The requests of the last minute in memory, and the tracer that sees their spans.
import { type Exit, Tracer } from "effect"
import * as Spans from "../../../src/errors/internal/Spans.ts"
import type { State } from "../../../src/http/internal/RequestState.ts"
import { limits, path, type Recorder } from "../../../src/http/internal/RequestRecorder.ts"
import * as Tracing from "../../../src/observability/internal/Tracing.ts"
import { RequestRecording } from "./RequestRecording.ts"

interface Options {
  /** Nanoseconds since the epoch. */
  readonly now: () => bigint
}

const maxAttributes = 64

const isOwn = ({ route }: State): boolean => route === path || route.startsWith(`${path}/`)

/** Takes the attributes and the end of a span from its own methods: the tracer must get back the span that it made. */
const watch = (span: Tracer.Span, recording: RequestRecording): void => {
  const opened = recording.begin(span)
  if (opened === undefined || !Object.isExtensible(span)) return
  const { attribute, end } = span
  Object.assign(span, {
    attribute: (name: string, value: unknown) => {
      if (opened.attributes.size < maxAttributes) opened.attributes.set(name, value)
      attribute.call(span, name, value)
    },
    end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => {
      Spans.note(span, exit)
      recording.endSpan(opened, endTime, exit)
      end.call(span, endTime, exit)
    }
  })
}

/** Nothing recorded yet. */
export const make = ({ now }: Options): Omit<Recorder, "all"> => {
  const recordings: Array<RequestRecording> = []
  const byState = new WeakMap<State, RequestRecording>()
  const bySpan = new WeakMap<Tracer.AnySpan, RequestRecording>()
  const wrapped = new WeakSet<Tracer.Tracer>()

  const isTooMuch = (): boolean =>
    recordings.length > limits.requests ||
    recordings.reduce((sum, { size }) => sum + size, 0) > limits.size ||
    (recordings[0] !== undefined && Number(now() / 1_000_000n) - recordings[0].startedAt > limits.age)

  const sweep = (): void => {
    while (recordings.length > 0 && isTooMuch()) {
      const oldest = recordings.shift()
      if (oldest !== undefined) oldest.isDropped = true
    }
  }

  const wrap = (tracer: Tracer.Tracer): Tracer.Tracer => {
    if (wrapped.has(tracer)) return tracer
    const recording = Tracer.make({
      // Bound, not called: a function of ours would be a frame of every stack.
      context: tracer.context.bind(tracer),
      span: (name, parent, ...rest) => {
        const span = tracer.span(name, parent, ...rest)
        const recorded = parent._tag === "Some" ? bySpan.get(parent.value) : undefined
        if (recorded === undefined || recorded.isDropped) return span
        bySpan.set(span, recorded)
        watch(span, recorded)
        return span
      }
    })
    wrapped.add(recording)
    if (Tracing.isLocal(tracer)) Tracing.markLocal(recording)
    return recording
  }

  return {
    wrap,
    begin: (state, span, secrets) => {
      if (isOwn(state)) return
      const recording = new RequestRecording(state, span, secrets, now)
      byState.set(state, recording)
      bySpan.set(span, recording)
      watch(span, recording)
      recordings.push(recording)
      sweep()
    },
    end: (state, end) => byState.get(state)?.end(end),
    log: (state, line) => byState.get(state)?.log(line),
    of: (state) => byState.get(state)?.view(),
    list: () => {
      sweep()
      return recordings.map((recording) => recording.view()).reverse()
    }
  }
}
