// The signature of a cursor: an HMAC over its token and the list it belongs to.
import { type Config, Either, Redacted } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"
import { InvalidCursor } from "../../../src/pagination/Cursor.ts"
import { type Codec, CursorCodec } from "../../../src/pagination/internal/columns/CursorCodec.ts"
import * as Setting from "../../../src/config/internal/Setting.ts"

/** The variable that names the keys, with commas between them, the signing one first. */
export const variable = "PAGINATION_KEYS"

/** The fewest characters of a key: a shorter one could be guessed. */
const minKeyLength = 32

// 128 bits: each guess costs a request.
const length = 22

/** The first key signs. All of them verify, so that a new key can be added in front before the old one is removed. */
export const make = (keys: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]): Codec => {
  const sign = (key: Redacted.Redacted, token: string, list: string): string =>
    createHmac("sha256", Redacted.value(key)).update(`${list}\n${token}`).digest("base64url").slice(0, length)
  return {
    encode: (token, list) => `${token}.${sign(keys[0], token, list)}`,
    decode: (cursor, list) => {
      const dot = cursor.indexOf(".")
      const [token, signature] = [cursor.slice(0, dot), Buffer.from(cursor.slice(dot + 1))]
      const isSigned = (key: Redacted.Redacted): boolean =>
        signature.length === length && timingSafeEqual(signature, Buffer.from(sign(key, token, list)))
      return dot >= 0 && keys.some(isSigned)
        ? Either.right(token)
        : Either.left(new InvalidCursor({ problem: "list", detail: "" }))
    }
  }
}

const parse = (text: string): Codec | undefined => {
  const [first, ...others] = text.split(",").map((key) => key.trim())
  if (first === undefined || [first, ...others].some((key) => key.length < minKeyLength)) return undefined
  return make([Redacted.make(first), ...others.map((key) => Redacted.make(key))])
}

/** Signs when the variable names keys, and leaves cursors plain when it is unset. */
export const config: Config.Config<Codec> = Setting.of(variable, CursorCodec.defaultValue(), {
  expected: `keys of at least ${minKeyLength} characters, separated by commas`,
  parse,
  secret: true
})
