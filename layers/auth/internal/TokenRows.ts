// Rows of tokens in two halves, for every store of them: the selector finds the row, the digest of the verifier proves the
// right to it.
import { SqlClient, type Statement } from "@effect/sql"
import { type Context, Duration, Effect, Redacted } from "effect"
import type { AccountId } from "../../../src/session/Identity.ts"
import { Entropy } from "../../../src/session/internal/Entropy.ts"
import { InvalidTokenRequest, type Token } from "../../../src/auth/Tokens.ts"
import { generate, parse, print } from "../../../src/session/internal/SplitToken.ts"
import * as AccountRows from "./AccountRows.ts"
import { sha256 } from "../../session/internal/Digest.ts"
import * as ExpiredRows from "../../session/internal/ExpiredRows.ts"

/** The lifetime in whole seconds; fails without a user or with less than a second. */
export const validateGrant = (
  user: AccountId,
  ttl: Duration.DurationInput
): Effect.Effect<number, InvalidTokenRequest> => {
  const seconds = Math.floor(Duration.toSeconds(ttl))
  return user !== "" && seconds >= 1 ? Effect.succeed(seconds) : new InvalidTokenRequest({ user, seconds })
}

/** A new token, and the columns of its row. */
export const mint = (entropy: Context.Tag.Service<Entropy>, user: AccountId) => {
  const halves = generate(entropy)
  const token: Token = { value: Redacted.make(print(halves)), user }
  return { token, selector: halves.selector, verifier: sha256(halves.verifier) }
}

/** The columns that a presented token is looked up by. For malformed text the selector is empty, which matches no row. */
export const presented = (token: Redacted.Redacted) => {
  const text = Redacted.value(token)
  const { selector, verifier } = parse(text) ?? { selector: "", verifier: text.slice(0, 64) }
  return { selector, verifier: sha256(verifier) }
}

/** The rows of a table with the columns `selector`, `verifier`, `user_id` and `expires`. */
export const make = Effect.fnUntraced(function* (name: string) {
  const sql = (yield* SqlClient.SqlClient).withoutTransforms()
  const entropy = yield* Entropy
  const table = sql(name)

  // The verifier is compared as its digest, in the index-backed statement: timing reveals nothing that would help to guess it.
  const isOf = (token: Redacted.Redacted, prefix: "" | "cancel_" = ""): Statement.Fragment => {
    const { selector, verifier } = presented(token)
    return sql`${sql(`${prefix}selector`)} = ${selector} AND ${sql(`${prefix}verifier`)} = ${verifier}`
  }

  return {
    sql,
    table,
    mint: (user: AccountId) => mint(entropy, user),
    /** The condition on the row of this token. */
    isOf,
    /** The same for a row that has not expired. */
    isLive: (token: Redacted.Redacted, now: number) => sql`${isOf(token)} AND expires > ${now}`,
    /** Deletes the rows of an account, or those of them that the condition holds for; returns how many. */
    remove: (user: AccountId, condition?: Statement.Fragment) => AccountRows.remove(sql, name, user, condition),
    /** Deletes the expired rows by their key. */
    sweep: (key: "selector" | "user_id" = "selector") => ExpiredRows.sweep(sql, name, key)
  }
})
