// A letter with a link that proves who reads the mailbox. It is made and sent when the answer is out.
import { Effect } from "effect"
import type { Identity } from "../../src/auth/Identity.ts"
import { RateLimit, type Rule } from "../../src/auth/RateLimit.ts"
import { Settings, type Values } from "../../src/auth/Settings.ts"
import { type Purpose, Tokens } from "../../src/auth/Tokens.ts"
import * as Letters from "../../src/mail/Letters.ts"
import * as Mailer from "../../src/mail/Mailer.ts"

const kinds = {
  verification: { write: Letters.verification, ttl: ({ verificationTtl }: Values) => verificationTtl },
  recovery: { write: Letters.recovery, ttl: ({ recoveryTtl }: Values) => recoveryTtl }
}

/** Mints a token and posts the letter that carries it: with a queue both are stored, or neither. */
export const post = Effect.fnUntraced(function* (purpose: Purpose, { email, id }: Identity) {
  const tokens = yield* Tokens
  const settings = yield* Settings
  const { ttl, write } = kinds[purpose]
  const letter = Effect.gen(function* () {
    const token = yield* Effect.orDie(tokens.mint(id, purpose, ttl(settings)))
    return yield* write({ to: email, base: settings.appUrl, token: token.value, ttl: ttl(settings) })
  })
  yield* Mailer.post(letter)
})

/** Whether this account may have one more letter. Counted in silence: a guest must not see whether there is one. */
export const mayPost = Effect.fnUntraced(function* (rule: Rule, email: string) {
  const limits = yield* RateLimit
  return (yield* limits.hit(rule, email)).allowed
})
