// Attributes in OTLP/JSON: bounded, with secrets masked by their names.
import * as Preview from "../../../errors/internal/Preview.ts"
import * as Redaction from "../../../errors/Redaction.ts"
import * as SecretNames from "../../../http/internal/text/SecretNames.ts"
import { clip } from "../../../http/internal/text/SafeText.ts"

/** How many attributes a span, an event, a link or a log record may have. */
export const maxAttributes = 64

const maxText = 4096
const maxItems = 32
const maxInteger = 2n ** 63n

/** A text of bounded length, with its secrets masked. */
export const text = (value: string): string => clip(Redaction.text(value.slice(0, 2 * maxText)), maxText)

/** A number; those that JSON cannot write are strings in this encoding. */
export const double = (value: number): number | string => {
  if (Number.isFinite(value)) return value
  return Number.isNaN(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity"
}

/** Any value; an array one level deep. 64-bit integers are strings in this encoding. */
export const any = (value: unknown): object => {
  if (Array.isArray(value)) return { arrayValue: { values: value.slice(0, maxItems).map(scalar) } }
  return scalar(value)
}

const scalar = (value: unknown): object => {
  switch (typeof value) {
    case "string":
      return { stringValue: text(value) }
    case "boolean":
      return { boolValue: value }
    case "number":
      return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: double(value) }
    case "bigint":
      return value >= -maxInteger && value < maxInteger ? { intValue: String(value) } : { stringValue: String(value) }
    default:
      return { stringValue: text(Preview.of(value)) }
  }
}

const member = (name: string, value: unknown): object => {
  const shown = typeof value === "string" ? SecretNames.maskNamed(name, value) : value
  return { key: clip(name, 256), value: any(shown) }
}

/** The attributes, and how many were left out. */
export const attributes = (
  given: Iterable<readonly [name: string, value: unknown]>
): { readonly attributes: ReadonlyArray<object>; readonly droppedAttributesCount?: number } => {
  const all = Array.from(new Map(given)).filter(([, value]) => value !== undefined && value !== null)
  const kept = all.slice(0, maxAttributes).map(([name, value]) => member(name, value))
  return {
    attributes: kept,
    ...(all.length > kept.length && { droppedAttributesCount: all.length - kept.length })
  }
}
