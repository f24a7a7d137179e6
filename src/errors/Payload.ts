// What a program is told: in development everything, elsewhere the status.
import * as Status from "../http/Status.ts"
import * as Mask from "./Mask.ts"
import { clip } from "./Plain.ts"
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
}

const longest = 16384

/** The throwable for a developer's program. */
export const details = (
  throwable: Throwable,
  sources: Sources["Type"],
  secrets: ReadonlyArray<string> = []
): Details => {
  const said = (text: string, length: number) => clip(Mask.text(text.slice(0, 65536), secrets), length)
  const frames = throwable.frames.map((frame) => {
    const { column, file, line } = frame.file === "" ? frame : sources.locate(frame)
    return { kind: frame.kind, call: said(frame.call, 240), file: said(file, 1024), line, column }
  })
  const origin = Stack.origin(frames)
  return {
    error: said(throwable.class, 120),
    message: said(throwable.message, longest),
    file: origin?.file ?? "",
    line: origin?.line ?? 0,
    trace: frames.map(({ call, file, line }, index) => ({ index: String(index), file, line: String(line), call }))
  }
}

/** A status for any program. */
export const status = (message: string): { readonly error: string } => ({ error: message })

/** The same as a problem document, for a client that asks for one. */
export const problem = (code: number, message: string, details?: Details) => {
  const title = Status.text(code)
  if (details !== undefined) {
    const { error, file, line, message: detail, trace } = details
    return { type: "about:blank", title, status: code, detail, error, file, line, trace }
  }
  return { type: "about:blank", title, status: code, ...(message === title ? undefined : { detail: message }) }
}
