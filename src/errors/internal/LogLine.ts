// One exception as one JSON line.
import * as Redaction from "../Redaction.ts"
import { longestStatement } from "./ErrorBody.ts"
import { clip } from "../../http/internal/text/SafeText.ts"
import type { ReportContext } from "../Reporters.ts"
import { located } from "./debug/SourceExcerpt.ts"
import type { Sources } from "../Sources.ts"
import * as Stack from "./Stack.ts"
import type { Throwable } from "../Throwable.ts"

/** The log channel. */
export const channel = "exceptions"

const longest = 4096

/** The fields of a line, in their order. */
export interface Line {
  readonly timestamp: string
  readonly level: "error"
  readonly channel: string
  readonly message: string
  readonly class: string
  readonly file: string
  readonly line: number
  readonly method: string
  /** Without the query, and the pattern where the route has parameters. */
  readonly uri: string
  readonly peer: string
  readonly id: string
  /** The id of the trace. */
  readonly trace_id?: string
  /** The id of the signed-in account. */
  readonly account?: string
  /** The SQL statement of a database error, without values. */
  readonly statement?: string
  /** The causes and related errors, nearest first. */
  readonly previous: ReadonlyArray<{ readonly class: string; readonly message: string }>
  /** How many more there are; absent when `previous` is complete. */
  readonly omitted?: number
}

/** The line of a throwable. `at` is in milliseconds since the epoch. */
export const of = (
  throwable: Throwable,
  context: ReportContext,
  at: number,
  sources: Sources["Type"],
  secrets: ReadonlyArray<string> = []
): Line => {
  const clean = (text: string, length = longest) => clip(Redaction.text(text.slice(0, 65536), secrets), length)
  // Through the source maps first: in a bundle the project's own frames cannot be recognised.
  const place = Stack.origin(located(sources, throwable.frames)) ?? { file: "", line: 0 }
  return {
    timestamp: new Date(at).toISOString(),
    level: "error",
    channel,
    message: clean(throwable.message),
    class: clean(throwable.class, 120),
    file: clean(place.file, 1024),
    line: place.line,
    method: clean(context.method ?? "", 32),
    uri: clean((context.uri ?? "").replace(/[?#].*$/s, ""), 2048),
    peer: clean(context.peer ?? "", 64),
    id: clean(context.id ?? "", 128),
    ...(context.trace !== undefined && { trace_id: clean(context.trace, 32) }),
    ...(context.account !== undefined && { account: clean(context.account, 128) }),
    ...(throwable.statement !== undefined && { statement: clean(throwable.statement, longestStatement) }),
    previous: throwable.chain.map((link) => ({ class: clean(link.class, 120), message: clean(link.message, 512) })),
    ...(throwable.omitted > 0 && { omitted: throwable.omitted })
  }
}

// Two line separators that JSON does not escape but some line readers split at.
const separators = /[\u2028\u2029]/g

/** The line as text, with a newline. */
export const encode = (line: Line): string =>
  `${JSON.stringify(line).replace(separators, (char) => `\\u${char.charCodeAt(0).toString(16)}`)}\n`
