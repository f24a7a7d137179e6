// Records the requests of the last minute for the pages of `development`. Nothing provides it in other environments.
import { Context, type Effect, type Tracer } from "effect"
import type { State } from "./RequestState.ts"
import type { End, RecordedLine, RecordedRequest } from "./RecordedRequest.ts"

/** How much is kept. */
export const limits = {
  /** Requests. */
  requests: 100,
  /** Milliseconds since a request began. */
  age: 60_000,
  /** Characters of all requests together. */
  size: 4 * 1024 * 1024,
  /** Of one request: characters, spans, and log lines. */
  requestSize: 256 * 1024,
  spans: 400,
  lines: 200
} as const

/** The paths of the development pages: their own requests are not recorded. */
export const path = "/_debug"

/** What is recorded, and where it is read. */
export interface Recorder {
  /** The tracer, with its spans recorded; one that records already as it is. */
  readonly wrap: (tracer: Tracer.Tracer) => Tracer.Tracer
  /** A request begins with this span. `secrets` are the values that no text may repeat. */
  readonly begin: (state: State, span: Tracer.Span, secrets: () => ReadonlyArray<string>) => void
  readonly end: (state: State, end: End) => void
  readonly log: (state: State, line: Omit<RecordedLine, "at">) => void
  /** The record of a request, also while it runs. */
  readonly of: (state: State) => RecordedRequest | undefined
  /** The requests of the last minute, the newest first. */
  readonly list: () => ReadonlyArray<RecordedRequest>
  /** Those of all workers. */
  readonly all: Effect.Effect<ReadonlyArray<RecordedRequest>>
}

/** The recorder of this process; `undefined` where nothing is recorded. */
export class RequestRecorder extends Context.Reference<RequestRecorder>()("effect-framework/http/RequestRecorder", {
  defaultValue: (): Recorder | undefined => undefined
}) {}
