// A throwable on a terminal: class, message, source and stack, depending on the verbosity.
import * as Highlight from "./debug/Highlight.ts"
import * as Redaction from "../Redaction.ts"
import { longestStatement } from "./ErrorBody.ts"
import * as SafeText from "../../http/internal/text/SafeText.ts"
import * as Preview from "./Preview.ts"
import * as Omitted from "./debug/Omitted.ts"
import * as SourceExcerpt from "./debug/SourceExcerpt.ts"
import type { Sources } from "../Sources.ts"
import * as Stack from "./Stack.ts"
import type { Throwable } from "../Throwable.ts"

/** 1: class and message. 2: also the file and its source. 3: also the stack. */
export type Verbosity = 1 | 2 | 3

/** The verbosity, the sources and the secrets of a report. */
interface Options {
  readonly sources: Sources["Type"]
  readonly verbosity?: Verbosity
  readonly colours?: boolean
  readonly secrets?: ReadonlyArray<string>
}

/** Whether to use colours: on a terminal, unless `NO_COLOR` is set. */
export const wantsColours = (environment: Readonly<Record<string, string | undefined>>, isTerminal: boolean): boolean =>
  isTerminal && (environment["NO_COLOR"] ?? "") === "" && environment["TERM"] !== "dumb"

const codes = { title: "1;97;41", bold: "1", faint: "2", bad: "1;31", span: "36", path: "4" }

const syntax: Record<Highlight.Kind, string> = { c: "2", k: "35", s: "32", n: "33", r: "31", t: "36", f: "34", "": "" }

const maxMessageLength = 4096
const maxFields = 16

interface Pen {
  readonly paint: (code: string, text: string) => string
  readonly clean: (text: string, length: number) => string
  readonly sources: Sources["Type"]
}

const indent = (text: string): string => text.replace(/^/gm, "  ")

const source = ({ paint, sources }: Pen, frame: Stack.Frame): string => {
  const lines = sources.read(frame.file)
  const excerpt = lines === undefined ? undefined : SourceExcerpt.excerpt(lines, frame)
  if (excerpt === undefined) return ""
  const width = String(excerpt.first + excerpt.lines.length).length
  const shown = Highlight.lines(excerpt.lines, excerpt.before).map((tokens, index) => {
    const number = excerpt.first + index
    const code = tokens.map(([kind, text]) => paint(syntax[kind], SafeText.visible(text))).join("")
    const label = String(number).padStart(width)
    return number === frame.line
      ? `${paint(codes.bad, `▶ ${label}`)} │ ${code}`
      : `  ${paint(codes.faint, label)} │ ${code}`
  })
  return `\n${indent(shown.join("\n"))}\n`
}

const place = ({ paint, clean, sources }: Pen, frame: Stack.Frame): string =>
  paint(
    codes.path,
    `${clean(SourceExcerpt.relative(sources.root, frame.file), 240)}:${frame.line}:${Math.max(1, frame.column)}`
  )

const stack = (pen: Pen, frames: ReadonlyArray<Stack.Frame>): string => {
  const shown = frames.map((frame) => {
    const call = pen.clean(frame.call, 160) || "(anonymous)"
    const name = frame.kind === "span" ? pen.paint(codes.span, `span ${call}`) : call
    const text = frame.file === "" ? name : `${name} ${place(pen, frame)}`
    return `  at ${Stack.isForeign(frame) ? pen.paint(codes.faint, text) : text}`
  })
  return shown.length === 0 ? "" : `\n${shown.join("\n")}\n`
}

const omitted = (count: number, noun: string): string => (count > 0 ? `  ${Omitted.sentence(count, noun)}\n` : "")

const fields = ({ paint, clean }: Pen, throwable: Throwable, secrets: ReadonlyArray<string>): string =>
  throwable.fields
    .slice(0, maxFields)
    .map(([name, value]) => `  ${paint(codes.faint, `${clean(name, 80)}:`)} ${Preview.named(name, value, secrets)}\n`)
    .join("") + omitted(throwable.fields.length - maxFields, "field")

/** The report; ends with a newline. */
export const render = (throwable: Throwable, options: Options): string => {
  const { colours = false, secrets = [], sources, verbosity = 3 } = options
  const pen: Pen = {
    sources,
    paint: (code, text) => (colours && code !== "" && text !== "" ? `\u001B[${code}m${text}\u001B[0m` : text),
    clean: (text, length) => SafeText.clip(SafeText.line(Redaction.text(text.slice(0, 65536), secrets)), length)
  }
  const cleanLines = (text: string) =>
    SafeText.clip(SafeText.visible(Redaction.text(text.slice(0, 65536), secrets)), maxMessageLength)
  const one = (item: Throwable): string => {
    const title =
      item === throwable
        ? pen.paint(codes.title, ` ${pen.clean(item.class, 120)} `)
        : `${item.relation} ${pen.paint(codes.bad, pen.clean(item.class, 120))}`
    const head = `\n  ${title}\n${indent(pen.paint(codes.bold, cleanLines(item.message)))}\n`
    if (verbosity === 1) return head
    const frames = SourceExcerpt.located(sources, item.frames)
    const origin = Stack.origin(frames)
    const where = origin === undefined ? "" : `\n  ${place(pen, origin)}\n${source(pen, origin)}`
    const { statement } = item
    const failedStatement =
      statement === undefined
        ? ""
        : `  ${pen.paint(codes.faint, "statement:")} ${pen.clean(statement, longestStatement)}\n`
    return head + failedStatement + fields(pen, item, secrets) + where + (verbosity === 3 ? stack(pen, frames) : "")
  }
  const chain = verbosity === 1 ? [] : throwable.chain
  const rest = verbosity === 1 ? "" : omitted(throwable.omitted, "error")
  return `${[throwable, ...chain].map(one).join("")}${rest === "" ? "" : `\n${rest}`}\n`
}

const maxLineText = 512
const maxLineErrors = 3

/** One JSON object on one line, in the form of the program log: for a process whose standard error has such lines. */
export const json = (throwable: Throwable, { secrets = [], sources }: Options, at: Date): string => {
  const clean = (text: string) =>
    SafeText.clip(SafeText.line(Redaction.text(text.slice(0, 65_536), secrets)), maxLineText)
  const errors = [throwable, ...throwable.chain].slice(0, maxLineErrors).map((error) => {
    const place = Stack.origin(SourceExcerpt.located(sources, error.frames))
    return {
      class: clean(error.class),
      message: clean(error.message),
      file: place === undefined ? undefined : clean(place.file),
      line: place?.line
    }
  })
  return jsonLine("An error was not caught", at, { errors })
}

/** A line of the log about the end of the program. */
export const jsonLine = (message: string, at: Date, facts: object = {}): string =>
  `${JSON.stringify({ timestamp: at.toISOString(), level: "FATAL", channel: "program", message, ...facts })}\n`
