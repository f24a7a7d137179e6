// The record of one request while it is written. Texts are masked and clipped when they arrive, so that no secret is kept.
import { Exit, Option, type Tracer } from "effect"
import * as FailedStatement from "../../../src/errors/internal/FailedStatement.ts"
import * as Preview from "../../../src/errors/internal/Preview.ts"
import * as Redaction from "../../../src/errors/Redaction.ts"
import { uri } from "../../../src/errors/internal/RequestContext.ts"
import * as SafeText from "../../../src/http/internal/text/SafeText.ts"
import type { State } from "../../../src/http/internal/RequestState.ts"
import type { End, RecordedLine, RecordedRequest, RecordedSpan } from "../../../src/http/internal/RecordedRequest.ts"
import { limits } from "../../../src/http/internal/RequestRecorder.ts"

const statementNames = ["db.query.text", "db.statement"]
const maxStatement = 2048
const maxLine = 1024
const maxAttributes = 16

interface OpenSpan {
  /** The order in which the spans began. */
  readonly order: number
  readonly span: Tracer.Span
  readonly attributes: Map<string, unknown>
}

const stateOf = ({ failed, status }: End): RecordedRequest["state"] => {
  if (status === undefined) return "aborted"
  return failed ? "failed" : "ended"
}

const milliseconds = (nanoseconds: bigint): number => Number(nanoseconds) / 1e6

export class RequestRecording {
  /** Characters that it takes. */
  size = 512
  /** A record that was dropped takes nothing more. */
  isDropped = false
  readonly id: string
  readonly startedAt: number
  readonly #method: string
  readonly #uri: string
  readonly #start: bigint
  readonly #now: () => bigint
  readonly #secrets: () => ReadonlyArray<string>
  readonly #open = new Map<Tracer.Span, OpenSpan>()
  readonly #ended: Array<readonly [order: number, span: RecordedSpan]> = []
  #begun = 0
  readonly #lines: Array<RecordedLine> = []
  #omitted = { spans: 0, lines: 0 }
  #end: { readonly end: End; readonly duration: number } | undefined

  constructor(state: State, span: Tracer.Span, secrets: () => ReadonlyArray<string>, now: () => bigint) {
    this.id = state.id
    this.#method = state.method
    this.#uri = uri(state)
    this.#start = span.status.startTime
    this.startedAt = milliseconds(this.#start)
    this.#now = now
    this.#secrets = secrets
  }

  /** A span has begun; `undefined` when the record is full. */
  begin(span: Tracer.Span): OpenSpan | undefined {
    if (this.isDropped || this.#isFull || this.#open.size + this.#ended.length >= limits.spans) {
      this.#omitted.spans += 1
      return undefined
    }
    const opened = { order: this.#begun++, span, attributes: new Map(span.attributes) }
    this.#open.set(span, opened)
    return opened
  }

  endSpan({ attributes, order, span }: OpenSpan, endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    if (!this.#open.delete(span) || this.isDropped) return
    const recorded = this.#record(span, attributes, endTime, Exit.isFailure(exit) ? "failed" : "ended")
    this.size += JSON.stringify(recorded).length
    this.#ended.push([order, recorded])
  }

  log({ level, text }: Omit<RecordedLine, "at">): void {
    if (this.isDropped || this.#isFull || this.#lines.length >= limits.lines) {
      this.#omitted.lines += 1
      return
    }
    const line = { at: milliseconds(this.#now() - this.#start), level, text: this.#clean(text, maxLine) }
    this.size += line.text.length + 64
    this.#lines.push(line)
  }

  end(end: End): void {
    this.#end ??= { end, duration: milliseconds(this.#now() - this.#start) }
  }

  /** What is known now. */
  view(): RecordedRequest {
    const now = this.#now()
    const open = Array.from(
      this.#open.values(),
      ({ attributes, order, span }) => [order, this.#record(span, attributes, now, "open")] as const
    )
    const spans = [...this.#ended, ...open].sort(([a], [b]) => a - b).map(([, span]) => span)
    return {
      id: this.id,
      pid: process.pid,
      method: SafeText.clip(this.#method, 32),
      uri: this.#clean(this.#uri, maxLine),
      startedAt: this.startedAt,
      status: this.#end?.end.status,
      state: this.#end === undefined ? "running" : stateOf(this.#end.end),
      duration: this.#end?.duration ?? milliseconds(now - this.#start),
      spans,
      lines: this.#lines.slice(),
      omitted: { ...this.#omitted }
    }
  }

  get #isFull(): boolean {
    return this.size > limits.requestSize
  }

  #clean(text: string, length: number): string {
    return SafeText.clip(SafeText.line(Redaction.text(text.slice(0, 65_536), this.#secrets())), length)
  }

  #record(
    span: Tracer.Span,
    attributes: ReadonlyMap<string, unknown>,
    until: bigint,
    outcome: RecordedSpan["outcome"]
  ): RecordedSpan {
    const secrets = this.#secrets()
    const text = statementNames.map((name) => attributes.get(name)).find((value) => typeof value === "string")
    const shown = [...attributes].filter(([name]) => !statementNames.includes(name) && name !== "code.stacktrace")
    const { startTime } = span.status
    return {
      id: span.spanId,
      parent: Option.getOrUndefined(span.parent)?.spanId,
      name: this.#clean(span.name, 160),
      start: milliseconds(startTime - this.#start),
      duration: Math.max(0, milliseconds(until - startTime)),
      outcome,
      attributes: shown
        .slice(0, maxAttributes)
        .map(([name, value]) => [SafeText.clip(name, 120), Preview.named(name, value, secrets)] as const),
      statement: typeof text === "string" ? this.#clean(FailedStatement.withoutLiterals(text), maxStatement) : undefined
    }
  }
}
