// The line of a log entry: readable text in development, JSON in other environments.
import { type Logger, Record } from "effect"
import * as Redaction from "../../errors/Redaction.ts"
import * as SecretNames from "../../http/internal/text/SecretNames.ts"
import * as SafeText from "../../http/internal/text/SafeText.ts"
import * as Preview from "../../errors/internal/Preview.ts"
import { located } from "../../errors/internal/debug/SourceExcerpt.ts"
import type { Place } from "../../errors/Sources.ts"
import * as Stack from "../../errors/internal/Stack.ts"
import * as Thrown from "../../errors/internal/Thrown.ts"
import * as Throwable from "../../errors/Throwable.ts"
import * as CauseThrowables from "../../errors/internal/CauseThrowables.ts"
import * as Tracing from "./Tracing.ts"
import type { Handled } from "../RequestEvents.ts"
import type { Name } from "../../config/Environment.ts"

type Entry = Logger.Logger.Options<unknown>

/** The `channel` of every line. */
export const channel = "program"

/** Bytes of a line, with its line break. A pipe writes this many atomically, so lines of several workers do not mix. */
export const limit = 4096

const maxTextLength = 1024
const minTextLength = 16

const maxErrors = 3
const maxAnnotations = 8

const partsOf = ({ message }: Entry): ReadonlyArray<unknown> => (Array.isArray(message) ? message : [message])

const textOf = (value: unknown): string => (typeof value === "string" ? value : Preview.of(value))

const messageOf = (entry: Entry): string =>
  partsOf(entry)
    .filter((part) => !Thrown.isError(part))
    .map(textOf)
    .join(" ")

const errorsOf = (entry: Entry): ReadonlyArray<Throwable.Throwable> => {
  const given = partsOf(entry).filter(Thrown.isError)
  const first = given.length > 0 ? new Throwable.Throwable(given[0]) : CauseThrowables.all(entry.cause)[0]
  return first === undefined ? [] : [first, ...first.chain].slice(0, maxErrors)
}

/** Annotations, and the durations of log spans. */
const annotationsOf = ({ annotations, date, spans }: Entry): ReadonlyArray<readonly [name: string, value: string]> =>
  [
    ...Array.from(annotations, ([name, value]) => [name, SecretNames.maskNamed(name, textOf(value))] as const),
    ...Array.from(spans, ({ label, startTime }) => [label, `${date.getTime() - startTime} ms`] as const)
  ].slice(0, maxAnnotations)

const correlationOf = ({ context }: Entry): Readonly<Record<string, string>> => ({ ...Tracing.correlationOf(context) })

type Sanitize = (text: string) => string

const sanitizer =
  (maxLength: number): Sanitize =>
  (text) =>
    SafeText.clip(SafeText.line(Redaction.text(text.slice(0, 65_536))), maxLength)

/** Shortens the texts until the line fits. */
const fit = (print: (sanitize: Sanitize) => string): string => {
  let maxLength = maxTextLength
  let line = print(sanitizer(maxLength))
  while (new TextEncoder().encode(line).length >= limit && maxLength > minTextLength) {
    maxLength /= 4
    line = print(sanitizer(maxLength))
  }
  return line
}

/** Maps a place in a compiled file to the source file. */
export type Locate = (place: Place) => Place

const unchanged: Locate = (place) => place

const placeOf = (error: Throwable.Throwable, locate: Locate): Stack.Frame | undefined =>
  Stack.origin(located({ locate }, error.frames))

const fields = (entry: Entry, sanitize: Sanitize, locate: Locate) => {
  const facts = annotationsOf(entry).map(([name, value]) => [sanitize(name), sanitize(value)] as const)
  const errors = errorsOf(entry).map((error) => {
    const place = placeOf(error, locate)
    const file = place === undefined ? undefined : sanitize(place.file)
    return { class: sanitize(error.class), message: sanitize(error.message), file, line: place?.line }
  })
  return {
    timestamp: entry.date.toISOString(),
    level: entry.logLevel.label,
    channel,
    message: sanitize(messageOf(entry)),
    ...Record.map(correlationOf(entry), sanitize),
    ...(facts.length > 0 && { facts: Object.fromEntries(facts) }),
    ...(errors.length > 0 && { errors })
  }
}

/** The same as data: texts are clipped and secrets masked. */
export const details = (entry: Entry, locate: Locate = unchanged) => fields(entry, sanitizer(maxTextLength), locate)

/** A JSON object with timestamp, level, message, the ids of its request, annotations, and errors with the file and line that created them. */
export const json = (entry: Entry, locate: Locate = unchanged): string =>
  fit((sanitize) => JSON.stringify(fields(entry, sanitize, locate)))

const prettyLine = (entry: Entry, sanitize: Sanitize, locate: Locate): string => {
  const time = entry.date.toTimeString().slice(0, 8)
  const facts = [...annotationsOf(entry), ...Object.entries(correlationOf(entry))].map(
    ([name, value]) => ` ${sanitize(name)}=${sanitize(value)}`
  )
  const errors = errorsOf(entry).map((error, index) => {
    const place = placeOf(error, locate)
    const where = place === undefined ? "" : ` (${sanitize(place.file)}:${place.line})`
    return `${index === 0 ? ": " : `, ${error.relation} `}${sanitize(error.class)}: ${sanitize(error.message)}${where}`
  })
  return `${time} ${entry.logLevel.label} ${sanitize(messageOf(entry))}${facts.join("")}${errors.join("")}`
}

/** `10:31:05 WARN A sweep failed table=tokens: SqlError: the disk is full (layers/auth/internal/Sweeper.ts:13)`. */
export const pretty = (entry: Entry, locate: Locate = unchanged): string =>
  fit((sanitize) => prettyLine(entry, sanitize, locate))

/** The `channel` of every line. */
export const requestChannel = "requests"

// Two integers are printed several times faster than one number with a fraction.
const milliseconds = (seconds: number): string => {
  const tenths = Math.round(seconds * 10_000)
  return `${Math.floor(tenths / 10)}.${tenths % 10}`
}

/** `GET /articles 200 3.1 ms`, for a terminal. */
export const requestPretty = ({ duration, failed = false, lasted, method, route, status }: Handled): string => {
  const line = `${method} ${route === "" ? "(no route)" : route} ${failed ? "failed" : (status ?? "aborted")}`
  const rest = lasted === undefined ? "" : `, ended after ${milliseconds(lasted)} ms`
  return `${line} ${milliseconds(duration)} ms${rest}`
}

/**
 * A JSON object with timestamp, request id, method, route pattern, status and duration; how long a stream or a WebSocket
 * lasted; `"failed":true` when the body failed after the headers were sent; the ids of the trace and of the account where they are known. The id has token
 * characters only, the method comes from Node's parser and a trace id is hexadecimal, so none needs to be escaped.
 */
export const requestJson = (
  { account, duration, failed = false, id, lasted, method, route, status, trace }: Handled,
  timestamp: string
): string =>
  `{"timestamp":"${timestamp}","level":"${failed ? "ERROR" : "INFO"}","channel":"${requestChannel}","id":"${id}","method":"${method}",` +
  `"route":${JSON.stringify(route)},"status":${status ?? "null"},"duration_ms":${milliseconds(duration)}` +
  (lasted === undefined ? "" : `,"lasted_ms":${milliseconds(lasted)}`) +
  (trace === undefined ? "" : `,"trace_id":"${trace}"`) +
  (account === undefined ? "" : `,"account":${JSON.stringify(account)}`) +
  (failed ? `,"failed":true}` : "}")

/** The line for a log with this `channel`: text in development, a JSON object in other environments. */
export const droppedLine =
  (environment: Name, channel: string) =>
  (count: number, at: Date): string => {
    const message = `Log lines dropped: ${count}`
    if (environment === "development") return `WARN ${message}`
    return JSON.stringify({ timestamp: at.toISOString(), level: "WARN", channel, message })
  }
