// The secret of a pending sign-in in the session of a guest: the browser holds it, signed, and nothing of the account.
import { Effect, Option, Redacted, Schema } from "effect"
import { PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import { flowLifetime, ProviderFlows } from "../../../src/auth/internal/providers/ProviderFlows.ts"
import * as ReturnTo from "../../../src/session/internal/ReturnTo.ts"
import type { Token } from "../../../src/auth/Tokens.ts"
import * as FormFields from "../../http/internal/FormFields.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"

const key = "pending"

const Proof = Schema.Struct({
  by: Schema.String,
  via: Schema.optional(Schema.String),
  provider: Schema.optional(Schema.String)
})

/** By what an account was proved before its second factor; `via` is the handle of a linked identity, `provider` the id of its provider. */
export type Proof = typeof Proof.Type

const ProofText = Schema.parseJson(Proof)
const decode = Schema.decodeUnknownOption(ProofText)
const encode = Schema.encodeSync(ProofText)

const noteOf = (secret: Redacted.Redacted) => `pending ${Redacted.value(secret)}`

/** Notes what the account of a pending sign-in was proved by, where that was not the password. */
export const note = ({ value }: Token, proof: Proof) =>
  Effect.flatMap(ProviderFlows, (flows) => flows.issue(noteOf(value), encode(proof), { lifetime: flowLifetime }))

/** What was noted of it, once. */
export const noted = (secret: Redacted.Redacted) =>
  Effect.map(
    Effect.flatMap(ProviderFlows, (flows) => flows.redeem(noteOf(secret))),
    (text): Proof => Option.getOrElse(Option.flatMap(text, decode), () => ({ by: "password" }))
  )

/**
 * Keeps the secret for the next request of this browser. Anyone who was signed in is signed out: the data of a signed-in
 * session are in the database, where the secret must not be.
 */
export const keep = Effect.fnUntraced(function* ({ value }: Token) {
  const session = yield* SessionCookie.current
  const target = yield* session.get(ReturnTo.key)
  if (Option.isSome(yield* session.identity)) yield* session.flush
  // A form that another tab has loaded before is stale from here on.
  yield* session.regenerate
  yield* session.set(key, Redacted.value(value))
  if (Option.isSome(target)) yield* session.set(ReturnTo.key, target.value)
})

/** The secret of this browser; `None` without one. */
export const presented = Effect.map(
  Effect.flatMap(SessionCookie.current, (session) => session.get(key)),
  Option.map((text) => Redacted.make(text))
)

/** The secret in the payload of a client without cookies; `None` without one. */
export const sent = Effect.map(FormFields.read, (fields) =>
  Option.map(Option.fromNullable(fields.get("pending")), (text) => Redacted.make(text))
)

/** Ends the pending sign-in of this browser, if it has one. */
export const end = Effect.gen(function* () {
  const session = yield* SessionCookie.current
  const secret = yield* session.pull(key)
  if (Option.isSome(secret)) {
    yield* Effect.flatMap(PendingSignIns, ({ complete }) => complete(Redacted.make(secret.value)))
  }
})
