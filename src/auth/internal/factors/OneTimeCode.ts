// The text of a one-time code, as a person types it.
import { codeDigits } from "./FactorRules.ts"

const shape = new RegExp(`^[0-9]{${codeDigits}}$`)

/** The six digits, which may be grouped by blanks; `undefined` for any other text. */
export const parse = (text: string): string | undefined => {
  if (text.length > 64) return undefined
  const digits = text.replace(/\s/g, "")
  return shape.test(digits) ? digits : undefined
}
