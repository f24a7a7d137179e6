// Walks a catalogue of texts: every sentence with its path.
import * as AuthTexts from "../../../src/auth/AuthTexts.ts"
import * as FormTexts from "../../../src/session/FormTexts.ts"
import * as HttpTexts from "../../../src/http/HttpTexts.ts"
import * as MailTexts from "../../../src/mail/MailTexts.ts"
import * as DemoTexts from "../../../demo/texts/DemoTexts.ts"
import * as GermanAuth from "../../../src/texts/internal/GermanAuthTexts.ts"
import * as GermanDemo from "../../../demo/texts/GermanDemo.ts"
import * as GermanHttp from "../../../src/texts/internal/GermanHttpTexts.ts"
import * as GermanMail from "../../../src/texts/internal/GermanMailTexts.ts"

export const catalogues = {
  http: [HttpTexts.english, GermanHttp.german],
  auth: [AuthTexts.english, GermanAuth.german],
  forms: [FormTexts.english, GermanAuth.germanForms],
  mail: [MailTexts.english, GermanMail.german],
  demo: [DemoTexts.english, GermanDemo.german]
} as const

/** Stands for a value in a sentence. */
export const mark = "¤"

export interface Sentence {
  readonly path: string
  /** How many values it takes; `undefined` for a text. */
  readonly arity: number | undefined
  readonly text: string
}

type Print = (...values: ReadonlyArray<string>) => unknown

const isPrint = (value: unknown): value is Print => typeof value === "function"

export const sentences = (value: unknown, path = ""): ReadonlyArray<Sentence> => {
  if (typeof value === "string") return [{ path, arity: undefined, text: value }]
  if (isPrint(value)) return [{ path, arity: value.length, text: String(value(...Array(value.length).fill(mark))) }]
  return Object.entries(value ?? {}).flatMap(([key, inner]) => sentences(inner, path === "" ? key : `${path}.${key}`))
}
