// A guest's session in a signed cookie: guests take no rows in the database.
import { Duration, Schema } from "effect"
import type { Keys } from "../../../src/session/internal/KeyRing.ts"
import { isSigned, sign } from "./Digest.ts"

interface Guest {
  readonly nonce: string
  readonly data: ReadonlyMap<string, string>
}

/** Browsers store 4,096 bytes of a cookie, name and flags included. */
export const maxLength = 3800

// Pairs, not an object, in which a key of `__proto__` would be lost.
const Payload = Schema.parseJson(
  Schema.Tuple(Schema.Number, Schema.String, Schema.Array(Schema.Tuple(Schema.String, Schema.String)))
)
const decodePayload = Schema.decodeUnknownOption(Payload)

const signed = (id: string, payload: string): string => `guest.${id}.${payload}`

const print = ({ data, nonce }: Guest, ring: Keys, now: number): string => {
  const { id, secret } = ring.signing
  const payload = Buffer.from(JSON.stringify([now, nonce, [...data]])).toString("base64url")
  return `g.${id}.${payload}.${sign(secret, signed(String(id), payload))}`
}

/** The cookie's value. When it is too long, the longest values are dropped first. */
export const encode = (guest: Guest, ring: Keys, now: number): string => {
  const data = new Map(guest.data)
  for (;;) {
    const text = print({ nonce: guest.nonce, data }, ring, now)
    if (text.length <= maxLength || data.size === 0) return text
    const [longest] = [...data].sort(([, a], [, b]) => b.length - a.length)
    data.delete(longest?.[0] ?? "")
  }
}

const shape = /^g\.(\d{1,9})\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/

/** The guest of a cookie with a valid signature that has not expired; `undefined` for any other text. */
export const decode = (text: string, ring: Keys, now: number, ttl: Duration.Duration): Guest | undefined => {
  const [, id = "", payload = "", signature = ""] = shape.exec(text) ?? []
  const key = ring.find(Number(id))
  if (id === "" || key === undefined || !isSigned(key.secret, signed(id, payload), signature)) return undefined
  const content = decodePayload(Buffer.from(payload, "base64url").toString())
  if (content._tag === "None") return undefined
  const [issued, nonce, data] = content.value
  return issued + Duration.toSeconds(ttl) <= now ? undefined : { nonce, data: new Map(data) }
}
