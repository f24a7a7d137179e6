// Any value in one short line: cycles, throwing getters, proxies and secrets included.
import { Predicate, Redacted } from "effect"
import * as Expectations from "./Expectations.ts"
import * as Redaction from "../Redaction.ts"
import * as SecretNames from "../../http/internal/text/SecretNames.ts"
import { clip, line } from "../../http/internal/text/SafeText.ts"

/** A preview is at most this long. */
const width = 80

const entries = 8
const depth = 3

/** The result of a read, or `undefined` when it throws: an error may hold any getter or proxy. */
export const read = <A>(get: () => A): A | undefined => {
  try {
    return get()
  } catch {
    return undefined
  }
}

/** A property of any value, or `undefined`. */
export const get = (value: unknown, key: PropertyKey): unknown => {
  if (!Predicate.isObject(value)) return undefined
  try {
    return Reflect.get(value, key)
  } catch {
    return undefined
  }
}

/** An own property without calling its getter, which could throw, hang or have side effects. */
export const own = (value: object, key: string): unknown => {
  const descriptor = read(() => Object.getOwnPropertyDescriptor(value, key))
  return descriptor !== undefined && "value" in descriptor ? descriptor.value : hidden
}

const hidden = Symbol("<getter>")

type Hide = (text: string) => string

const name = (value: object): string => {
  const made = read(() => Object.getPrototypeOf(value)?.constructor?.name)
  return typeof made === "string" && made !== "" ? made : "Object"
}

const property = (value: object, key: string, level: number, hide: Hide): string =>
  SecretNames.isSecret(key) ? SecretNames.mask : print(own(value, key), level + 1, hide)

const object = (value: object, level: number, hide: Hide): string => {
  const title = name(value)
  const label = title === "Object" ? "" : `${title} `
  if (level >= depth) return `${label}{…}`
  const keys = Object.keys(value)
  const shown = keys.slice(0, entries).map((key) => `${clip(key, width)}: ${property(value, key, level, hide)}`)
  if (keys.length > entries) shown.push("…")
  return shown.length === 0 ? `${label}{}` : `${label}{ ${shown.join(", ")} }`
}

const array = (value: ReadonlyArray<unknown>, level: number, hide: Hide): string => {
  if (level >= depth) return `Array(${value.length})`
  const shown = Array.from({ length: Math.min(value.length, entries) }, (_, index) =>
    property(value, String(index), level, hide)
  )
  return `[${shown.join(", ")}${value.length > entries ? ", …" : ""}]`
}

const describe = (value: object, level: number, hide: Hide): string => {
  if (Redacted.isRedacted(value)) return "<redacted>"
  if (Array.isArray(value)) return array(value, level, hide)
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "Invalid Date" : value.toISOString()
  if (Expectations.isParseError(value)) return `ParseError: ${hide(Expectations.message(value))}`
  if (value instanceof Error) return `${name(value)}: ${hide(String(get(value, "message")))}`
  if (Expectations.isIssue(value)) return "ParseIssue {…}"
  if (value instanceof Map || value instanceof Set) return `${name(value)}(${value.size})`
  if (ArrayBuffer.isView(value)) return `${name(value)}(${value.byteLength})`
  return object(value, level, hide)
}

const print = (value: unknown, level: number, hide: Hide): string => {
  if (typeof value === "string") return JSON.stringify(hide(value))
  if (typeof value === "bigint") return `${value}n`
  if (typeof value === "symbol") return value === hidden ? "<getter>" : hide(String(value))
  if (typeof value === "function") return `ƒ ${hide(String(get(value, "name")))}`
  if (Predicate.isObject(value)) return read(() => describe(value, level, hide)) ?? "<unreadable>"
  return String(value)
}

/** One line of at most 80 characters. Secrets are masked before it is cut: half of one would not be recognised. */
export const of = (value: unknown, secrets: ReadonlyArray<string> = []): string => {
  const hide = (text: string) => clip(Redaction.text(text.slice(0, 8192), secrets), width)
  return clip(line(print(value, 0, hide)), width)
}

/** The preview of a named value; the mask when the name is secret. */
export const named = (name: string, value: unknown, secrets: ReadonlyArray<string> = []): string =>
  SecretNames.isSecret(name) ? SecretNames.mask : of(value, secrets)
