// One line for each thing that a program logs: for a person in development, for a program elsewhere.
import type { Logger } from "effect"
import * as Redaction from "../errors/Redaction.ts"
import * as SafeText from "../errors/SafeText.ts"
import * as Preview from "../errors/Preview.ts"
import { located } from "../errors/SourceExcerpt.ts"
import type { Place } from "../errors/Sources.ts"
import * as Stack from "../errors/Stack.ts"
import * as Throwable from "../errors/Throwable.ts"

type Entry = Logger.Logger.Options<unknown>

/** The channel of the lines. */
export const channel = "program"

/** Bytes with the line's end. A pipe takes so many at once, so that lines of several workers do not mix. */
export const limit = 4096

const longest = 1024
const shortest = 16

const mostErrors = 3
const mostFacts = 8

const isError = (part: unknown): part is Error => Preview.read(() => part instanceof Error) === true

const partsOf = ({ message }: Entry): ReadonlyArray<unknown> => (Array.isArray(message) ? message : [message])

const textOf = (value: unknown): string => (typeof value === "string" ? value : Preview.of(value))

const messageOf = (entry: Entry): string =>
  partsOf(entry)
    .filter((part) => !isError(part))
    .map(textOf)
    .join(" ")

const errorsOf = (entry: Entry): ReadonlyArray<Throwable.Throwable> => {
  const given = partsOf(entry).filter(isError)
  const first = given.length > 0 ? new Throwable.Throwable(given[0]) : Throwable.all(entry.cause)[0]
  return first === undefined ? [] : [first, ...first.chain].slice(0, mostErrors)
}

/** What was annotated, and how long the spans have lasted. */
const factsOf = ({ annotations, date, spans }: Entry): ReadonlyArray<readonly [name: string, value: string]> =>
  [
    ...Array.from(annotations, ([name, value]) => [name, Redaction.value(name, textOf(value))] as const),
    ...Array.from(spans, ({ label, startTime }) => [label, `${date.getTime() - startTime} ms`] as const)
  ].slice(0, mostFacts)

type Said = (text: string) => string

const sayer =
  (most: number): Said =>
  (text) =>
    SafeText.clip(SafeText.line(Redaction.text(text.slice(0, 65_536))), most)

/** Shorter texts until the line fits. */
const fitting = (print: (said: Said) => string): string => {
  let most = longest
  let line = print(sayer(most))
  while (new TextEncoder().encode(line).length >= limit && most > shortest) {
    most /= 4
    line = print(sayer(most))
  }
  return line
}

/** Finds the place that a person wrote for one in a built file. */
export type Locate = (place: Place) => Place

const asIs: Locate = (place) => place

const placeOf = (error: Throwable.Throwable, locate: Locate): Stack.Frame | undefined =>
  Stack.origin(located({ locate }, error.frames))

const fields = (entry: Entry, said: Said, locate: Locate) => {
  const facts = factsOf(entry).map(([name, value]) => [said(name), said(value)] as const)
  const errors = errorsOf(entry).map((error) => {
    const place = placeOf(error, locate)
    const file = place === undefined ? undefined : said(place.file)
    return { class: said(error.class), message: said(error.message), file, line: place?.line }
  })
  return {
    timestamp: entry.date.toISOString(),
    level: entry.logLevel.label,
    channel,
    message: said(messageOf(entry)),
    ...(facts.length > 0 && { facts: Object.fromEntries(facts) }),
    ...(errors.length > 0 && { errors })
  }
}

/** A JSON object with the time, the level, the message, what was annotated, and the errors with where they were made. */
export const json = (entry: Entry, locate: Locate = asIs): string =>
  fitting((said) => JSON.stringify(fields(entry, said, locate)))

const sentence = (entry: Entry, said: Said, locate: Locate): string => {
  const time = entry.date.toTimeString().slice(0, 8)
  const facts = factsOf(entry).map(([name, value]) => ` ${said(name)}=${said(value)}`)
  const errors = errorsOf(entry).map((error, index) => {
    const place = placeOf(error, locate)
    const where = place === undefined ? "" : ` (${said(place.file)}:${place.line})`
    return `${index === 0 ? ": " : `, ${error.relation} `}${said(error.class)}: ${said(error.message)}${where}`
  })
  return `${time} ${entry.logLevel.label} ${said(messageOf(entry))}${facts.join("")}${errors.join("")}`
}

/** `10:31:05 WARN A sweep failed table=tokens: SqlError: the disk is full (layers/auth/Sweeper.ts:13)`. */
export const pretty = (entry: Entry, locate: Locate = asIs): string => fitting((said) => sentence(entry, said, locate))
