// The JSON body of an error: all details in development, otherwise the status.
import * as Status from "../../http/internal/text/Status.ts"
import * as RecordedRequest from "../../http/internal/RecordedRequest.ts"
import * as Hints from "./debug/Hints.ts"
import * as Redaction from "../Redaction.ts"
import { clip } from "../../http/internal/text/SafeText.ts"
import { located } from "./debug/SourceExcerpt.ts"
import type { Sources } from "../Sources.ts"
import * as Stack from "./Stack.ts"
import type { Throwable } from "../Throwable.ts"

/** The body in development; never sent in production. */
interface Details {
  readonly error: string
  readonly message: string
  readonly file: string
  readonly line: number
  readonly trace: ReadonlyArray<{
    readonly index: string
    readonly file: string
    readonly line: string
    readonly call: string
  }>
  /** The SQL statement of a database error, without values. */
  readonly statement?: string
  /** The causes and related errors, nearest first; absent when there are none. */
  readonly previous?: ReadonlyArray<{ readonly error: string; readonly message: string }>
  /** How many more there are; absent when `previous` is complete. */
  readonly omitted?: number
  /** What to do about an error that everyone meets once; absent for any other. */
  readonly hints?: ReadonlyArray<string>
  /** The statements of the request, where it is recorded and had some. */
  readonly queries?: ReadonlyArray<{
    readonly statement: string
    readonly count: number
    readonly duration_ms: number
  }>
  /** The log lines of the request, where it is recorded and had some. */
  readonly logs?: ReadonlyArray<string>
}

const maxListed = 50

const recordedPart = (recorded: RecordedRequest.RecordedRequest, clean: (text: string, length: number) => string) => {
  const queries = RecordedRequest.statements(recorded)
    .slice(0, maxListed)
    .map(({ count, duration, statement }) => ({
      statement: clean(statement, longestStatement),
      count,
      duration_ms: Math.round(duration * 100) / 100
    }))
  const logs = recorded.lines.slice(0, maxListed).map(({ level, text }) => clean(`${level} ${text}`, 1024))
  return { ...(queries.length > 0 && { queries }), ...(logs.length > 0 && { logs }) }
}

const maxMessageLength = 16384

/** The maximum length of a statement in characters. */
export const longestStatement = 1024

/** The details of a throwable. */
export const details = (
  throwable: Throwable,
  sources: Sources["Type"],
  secrets: ReadonlyArray<string> = [],
  recorded?: RecordedRequest.RecordedRequest
): Details => {
  const clean = (text: string, length: number) => clip(Redaction.text(text.slice(0, 65536), secrets), length)
  const frames = located(sources, throwable.frames).map(({ call, column, file, kind, line }): Stack.Frame => ({
    kind,
    call: clean(call, 240),
    file: clean(file, 1024),
    line,
    column
  }))
  const origin = Stack.origin(frames)
  const hints = Hints.of(throwable).map(({ reason, remedy }) => clean(`${reason} ${remedy}`, 1024))
  const previous = throwable.chain.map((link) => ({ error: clean(link.class, 120), message: clean(link.message, 512) }))
  return {
    error: clean(throwable.class, 120),
    message: clean(throwable.message, maxMessageLength),
    file: origin?.file ?? "",
    line: origin?.line ?? 0,
    trace: frames.map(({ call, file, line }, index) => ({ index: String(index), file, line: String(line), call })),
    ...(throwable.statement !== undefined && { statement: clean(throwable.statement, longestStatement) }),
    ...(previous.length > 0 && { previous }),
    ...(throwable.omitted > 0 && { omitted: throwable.omitted }),
    ...(hints.length > 0 && { hints }),
    ...(recorded !== undefined && recordedPart(recorded, clean))
  }
}

/** What was expected of the request, by path. */
export type Fields = Readonly<Record<string, string>>

/** What an API says of a failure beside the sentence: its name and its facts. */
export type Facts = Readonly<Record<string, unknown>>

/** The body of a status. */
export const status = (message: string, fields?: Fields, facts?: Facts): Facts => ({
  error: message,
  ...facts,
  ...(fields === undefined ? undefined : { fields })
})

/** What a problem document has besides its status and message. */
interface ProblemOptions {
  /** The id of the request. */
  readonly id: string | undefined
  readonly title?: string
  readonly details?: Details
  readonly fields?: Fields | undefined
  readonly facts?: Facts | undefined
}

/** The same as a problem document (RFC 9457). Its `instance` is the id of the request, as a relative reference. */
export const problem = (
  code: number,
  message: string,
  { details, facts, fields, id, title = Status.text(code) }: ProblemOptions
): Facts => {
  const instance = id === undefined ? undefined : { instance: encodeURIComponent(id) }
  const head = { type: "about:blank", title, status: code, ...instance }
  if (details !== undefined) {
    const { message: detail, ...rest } = details
    return { ...head, detail, ...rest }
  }
  return {
    ...head,
    ...(message === title ? undefined : { detail: message }),
    ...facts,
    ...(fields === undefined ? undefined : { fields })
  }
}
