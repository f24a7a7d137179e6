// What a request knows of its session: where it came from, what it is now, and what has to be written.
import type { Context } from "effect"
import type { Identity } from "../../src/auth/Identity.ts"
import type { Entropy } from "../../src/auth/Secret.ts"
import type { Row } from "./SessionRows.ts"

/** What the request came with. */
export type Origin = { readonly _tag: "Nothing" } | { readonly _tag: "Guest" } | Member

export interface Member {
  readonly _tag: "Member"
  readonly key: string
  readonly row: Row
  /** Whether this use is to be noted. */
  readonly isDue: boolean
}

/** What it is now: `row` says how the row of a member comes to be. */
export type Standing =
  | { readonly _tag: "Guest"; readonly nonce: string | undefined }
  | {
      readonly _tag: "Member"
      readonly id: string
      readonly identity: Identity
      readonly row: "Kept" | "Moved" | "New"
    }

export interface Content {
  readonly origin: Origin
  standing: Standing
  data: Map<string, string> | undefined
  readonly changes: Map<string, string | undefined>
  /** Whether what was there before was thrown away. */
  flushed: boolean
  /** Whether a guest's cookie has to be written. */
  changed: boolean
}

// A boundary: nothing but `print` below writes this column.
const parse = (text: string): Map<string, string> => new Map(Object.entries(JSON.parse(text) as Record<string, string>))

export const print = (data: ReadonlyMap<string, string>): string => JSON.stringify(Object.fromEntries(data))

export const dataOf = (content: Content): Map<string, string> =>
  (content.data ??= content.origin._tag === "Member" ? parse(content.origin.row.data) : new Map())

export const write = (content: Content, key: string, value: string | undefined): void => {
  const data = dataOf(content)
  if (data.get(key) === value) return
  if (value === undefined) data.delete(key)
  else data.set(key, value)
  content.changes.set(key, value)
  content.changed = true
}

export const rebase = (content: Content, row: Row): ReadonlyMap<string, string> => {
  const data = content.flushed ? new Map<string, string>() : parse(row.data)
  for (const [key, value] of content.changes) {
    if (value === undefined) data.delete(key)
    else data.set(key, value)
  }
  return data
}

const random = (entropy: Context.Tag.Service<Entropy>, size: number): string =>
  Buffer.from(entropy.bytes(size)).toString("base64url")

/** An id for the cookie of a member. */
export const newId = (entropy: Context.Tag.Service<Entropy>): string => random(entropy, 32)

/** What a guest's form secret is derived from, made when it is first needed. */
export const nonceOf = (content: Content, entropy: Context.Tag.Service<Entropy>): string => {
  if (content.standing._tag === "Guest" && content.standing.nonce !== undefined) return content.standing.nonce
  const nonce = random(entropy, 16)
  content.standing = { _tag: "Guest", nonce }
  content.changed = true
  return nonce
}
