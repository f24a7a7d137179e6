// The sentences of the API of accounts, in the language of the request.
import { Effect } from "effect"
import { AuthTexts, type Texts as AllTexts } from "../../../src/auth/AuthTexts.ts"
import * as Texts from "../../http/Texts.ts"
import { InvalidLink, PendingEnded } from "../api/AccountFailures.ts"

type Choose = (texts: AllTexts) => string

/** The body of a response that says only this. */
export const message = (choose: Choose) => Effect.map(Texts.of(AuthTexts), (texts) => ({ message: choose(texts) }))

/** Does it, and says this. */
export const saying =
  (choose: Choose) =>
  <A, E, R>(operation: Effect.Effect<A, E, R>) =>
    Effect.zipRight(operation, message(choose))

/** Says this where the link was valid, and else fails with that. */
export const redeemed = (done: Choose, expired: Choose) => (isDone: boolean) =>
  isDone ? message(done) : Effect.flatMap(Texts.of(AuthTexts), (texts) => new InvalidLink({ error: expired(texts) }))

/** Fails: the sign-in begins from the start. */
export const pendingEnded = Effect.flatMap(
  Texts.of(AuthTexts),
  ({ loginFactor }) => new PendingEnded({ error: loginFactor.startOver })
)
