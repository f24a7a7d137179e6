// One environment variable, read once: its default, its valid values, and one line that names them for an invalid value.
import { Config, ConfigError, Either, Redacted } from "effect"
import * as Url from "./Url.ts"

const mask = "********"

/** The line for the first malformed value. */
export const line = (error: ConfigError.ConfigError): string =>
  error._op === "And" || error._op === "Or" ? line(error.left) : error.message

interface Rule<A> {
  readonly expected: string
  readonly parse: (text: string) => A | undefined
  readonly secret?: boolean
}

/** A variable with a rule of its own. An empty value counts as unset. */
export const of = <A>(name: string, fallback: A, rule: Rule<A>): Config.Config<A> =>
  Config.string(name).pipe(
    Config.withDefault(""),
    Config.mapOrFail((given) => {
      const text = given.trim()
      if (text === "") return Either.right(fallback)
      const value = rule.parse(text)
      if (value !== undefined) return Either.right(value)
      const shown = rule.secret === true ? mask : JSON.stringify(text.slice(0, 200))
      return Either.left(ConfigError.InvalidData([name], `${name} is ${shown}, expected ${rule.expected}`))
    })
  )

/** Any text. */
export const text = (name: string, fallback: string): Config.Config<string> =>
  of(name, fallback, { expected: "a text", parse: (value) => value })

/** A secret text. */
export const secret = (name: string): Config.Config<Redacted.Redacted> =>
  Config.map(of(name, "", { expected: "a text", parse: (value) => value, secret: true }), Redacted.make)

/** A whole number between two bounds. */
export const integer = (
  name: string,
  fallback: number,
  bounds: { readonly min: number; readonly max?: number }
): Config.Config<number> => {
  const max = bounds.max ?? Number.MAX_SAFE_INTEGER
  const expected =
    bounds.max === undefined
      ? `a whole number of at least ${bounds.min}`
      : `a whole number between ${bounds.min} and ${max}`
  const parse = (value: string) => {
    const number = /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN
    return number >= bounds.min && number <= max ? number : undefined
  }
  return of(name, fallback, { expected, parse })
}

/** One of a few words. */
export const choice = <const Words extends ReadonlyArray<string>>(
  name: string,
  fallback: Words[number],
  words: Words
): Config.Config<Words[number]> =>
  of<Words[number]>(name, fallback, {
    expected: `one of ${words.join(", ")}`,
    parse: (value) => words.find((word) => word === value)
  })

/** `1`, `true`, `yes`, `on` or their opposites. */
export const flag = (name: string, fallback: boolean): Config.Config<boolean> =>
  of(name, fallback, {
    expected: "1 or 0",
    parse: (value) => {
      if (["1", "true", "yes", "on"].includes(value.toLowerCase())) return true
      return ["0", "false", "no", "off"].includes(value.toLowerCase()) ? false : undefined
    }
  })

/** The text without the slashes at its end. */
export const withoutSlashes = (value: string): string => {
  let end = value.length
  while (value[end - 1] === "/") end--
  return value.slice(0, end)
}

/** An http or https origin with an optional path, without a slash at its end. */
export const anyBaseUrl = {
  expected: "an http or https address without query or fragment",
  parse: (value: string): string | undefined => {
    const url = Url.parse(value)
    if (url === undefined || !["http:", "https:"].includes(url.protocol) || /[?#@]/.test(value)) return undefined
    return withoutSlashes(value)
  }
}

/** The base of every link. */
export const baseUrl = <A = string>(name: string, fallback: A): Config.Config<string | A> =>
  of<string | A>(name, fallback, anyBaseUrl)
