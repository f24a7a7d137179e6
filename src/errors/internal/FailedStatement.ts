// The statement that an error of the database belongs to: its text without values, and where the program wrote it.
import { Predicate } from "effect"

/** The property by which an error of the database carries its statement. */
const symbol: unique symbol = Symbol.for("effect-framework/errors/FailedStatement")

/** A statement that failed. */
interface FailedStatement {
  /** As it was sent, with marks in place of its parameters. */
  readonly text: string
  /** Raised where the statement was written; its stack is read only when it is shown. */
  readonly site: Error
}

const is = (value: unknown): value is FailedStatement =>
  Predicate.hasProperty(value, "text") &&
  typeof value.text === "string" &&
  Predicate.hasProperty(value, "site") &&
  value.site instanceof Error

/** Notes the statement on an error; the first one that is noted stays. */
export const note = (error: object, statement: FailedStatement): void => {
  if (!(symbol in error) && Object.isExtensible(error)) Object.defineProperty(error, symbol, { value: statement })
}

/** The statement noted on a failure; `undefined` for any other value, and for one whose getters throw. */
export const of = (failure: unknown): FailedStatement | undefined => {
  try {
    const noted = Predicate.hasProperty(failure, symbol) ? failure[symbol] : undefined
    return is(noted) ? noted : undefined
  } catch {
    return undefined
  }
}

const longest = 4096
const dollars = /\$([A-Za-z_]\w*)?\$/

/** The text without the values that are written into it: quoted literals are left out. */
export const withoutLiterals = (text: string): string => {
  const shown = text.slice(0, longest)
  // Where a backslash or a dollar may quote, the end of a literal depends on the dialect: nothing after it is shown.
  const first = shown.search(/['$]/)
  const isPlain = !shown.includes("\\") && !dollars.test(shown)
  return isPlain || first < 0 ? shown.replace(/'[^']*(?:'|$)/g, "'…'") : `${shown.slice(0, first)}…`
}
