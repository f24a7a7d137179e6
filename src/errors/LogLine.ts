// One exception as one line of JSON.
import * as Redaction from "./Redaction.ts"
import { longestStatement } from "./ErrorBody.ts"
import { clip } from "./SafeText.ts"
import type { ReportContext } from "./Reporters.ts"
import { located } from "./SourceExcerpt.ts"
import type { Sources } from "./Sources.ts"
import * as Stack from "./Stack.ts"
import type { Throwable } from "./Throwable.ts"

/** The channel of the lines. */
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
  /** The statement of an error of the database, without values. */
  readonly statement?: string
  /** What stood behind it, nearest first. */
  readonly previous: ReadonlyArray<{ readonly class: string; readonly message: string }>
  /** How many more stood behind it; absent when `previous` is all. */
  readonly omitted?: number
}

/** The line of a throwable. `at` is in milliseconds since the epoch. */
export const of = (
  throwable: Throwable,
  facts: ReportContext,
  at: number,
  sources: Sources["Type"],
  secrets: ReadonlyArray<string> = []
): Line => {
  const said = (text: string, length = longest) => clip(Redaction.text(text.slice(0, 65536), secrets), length)
  // Through the source maps first: a bundle does not tell which of its lines are the project's.
  const place = Stack.origin(located(sources, throwable.frames)) ?? { file: "", line: 0 }
  return {
    timestamp: new Date(at).toISOString(),
    level: "error",
    channel,
    message: said(throwable.message),
    class: said(throwable.class, 120),
    file: said(place.file, 1024),
    line: place.line,
    method: said(facts.method ?? "", 32),
    uri: said((facts.uri ?? "").replace(/[?#].*$/s, ""), 2048),
    peer: said(facts.peer ?? "", 64),
    id: said(facts.id ?? "", 128),
    ...(throwable.statement !== undefined && { statement: said(throwable.statement, longestStatement) }),
    previous: throwable.chain.map((link) => ({ class: said(link.class, 120), message: said(link.message, 512) })),
    ...(throwable.omitted > 0 && { omitted: throwable.omitted })
  }
}

// The two line separators that JSON leaves alone but some readers of lines do not.
const separators = /[\u2028\u2029]/g

/** The line as text, with its end. */
export const encode = (line: Line): string =>
  `${JSON.stringify(line).replace(separators, (char) => `\\u${char.charCodeAt(0).toString(16)}`)}\n`
