// What a program is told: in development everything, elsewhere the status.
import * as Status from "../http/Status.ts"
import * as Redaction from "./Redaction.ts"
import { clip } from "./SafeText.ts"
import { located } from "./SourceExcerpt.ts"
import type { Sources } from "./Sources.ts"
import * as Stack from "./Stack.ts"
import type { Throwable } from "./Throwable.ts"

/** What a program is told in development; nothing of it leaves in production. */
export interface Details {
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
  /** The statement of an error of the database, without values. */
  readonly statement?: string
  /** What stands behind it, nearest first; absent when nothing does. */
  readonly previous?: ReadonlyArray<{ readonly error: string; readonly message: string }>
  /** How many more stand behind it; absent when `previous` is all. */
  readonly omitted?: number
}

const longest = 16384

/** A statement is shown up to this many characters. */
export const longestStatement = 1024

/** The throwable for a developer's program. */
export const details = (
  throwable: Throwable,
  sources: Sources["Type"],
  secrets: ReadonlyArray<string> = []
): Details => {
  const said = (text: string, length: number) => clip(Redaction.text(text.slice(0, 65536), secrets), length)
  const frames = located(sources, throwable.frames).map(({ call, column, file, kind, line }): Stack.Frame => ({
    kind,
    call: said(call, 240),
    file: said(file, 1024),
    line,
    column
  }))
  const origin = Stack.origin(frames)
  const previous = throwable.chain.map((link) => ({ error: said(link.class, 120), message: said(link.message, 512) }))
  return {
    error: said(throwable.class, 120),
    message: said(throwable.message, longest),
    file: origin?.file ?? "",
    line: origin?.line ?? 0,
    trace: frames.map(({ call, file, line }, index) => ({ index: String(index), file, line: String(line), call })),
    ...(throwable.statement !== undefined && { statement: said(throwable.statement, longestStatement) }),
    ...(previous.length > 0 && { previous }),
    ...(throwable.omitted > 0 && { omitted: throwable.omitted })
  }
}

/** What was expected of a request, by path. */
export type Fields = Readonly<Record<string, string>>

/** A status for any program. */
export const status = (message: string, fields?: Fields): { readonly error: string; readonly fields?: Fields } =>
  fields === undefined ? { error: message } : { error: message, fields }

/** The same as a problem document, for a client that asks for one. */
export const problem = (code: number, message: string, details?: Details, fields?: Fields) => {
  const title = Status.text(code)
  if (details !== undefined) {
    const { message: detail, ...rest } = details
    return { type: "about:blank", title, status: code, detail, ...rest }
  }
  return {
    type: "about:blank",
    title,
    status: code,
    ...(message === title ? undefined : { detail: message }),
    ...(fields === undefined ? undefined : { fields })
  }
}
