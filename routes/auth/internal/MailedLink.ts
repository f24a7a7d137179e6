// E-mails with a link that proves access to the mailbox. They are made and sent after the response.
import { Effect } from "effect"
import type { Identity } from "../../../src/session/Identity.ts"
import { RateLimit, type Rule } from "../../../src/session/RateLimit.ts"
import { AuthSettings, type Settings } from "../../../src/auth/AuthSettings.ts"
import { type Purpose, Tokens } from "../../../src/auth/Tokens.ts"
import * as LinkMessage from "../../../src/mail/internal/LinkMessage.ts"
import { MailTemplates } from "../../../src/mail/MailTemplates.ts"
import * as Mailer from "../../../src/mail/Mailer.ts"
import * as Texts from "../../http/Texts.ts"
import * as ChangeMail from "../address/ChangeMail.ts"

/** The purposes of links that a person asks for. */
type Asked = Extract<Purpose, "verification" | "recovery">

const ttls: Readonly<Record<Asked, (settings: Settings) => Settings["recoveryTtl"]>> = {
  verification: ({ verificationTtl }) => verificationTtl,
  recovery: ({ recoveryTtl }) => recoveryTtl
}

/** Mints a token and sends the e-mail that carries it, in the language of the request: with a queue both are stored, or neither. */
export const post = Effect.fnUntraced(function* (purpose: Asked, { email, id }: Identity) {
  const tokens = yield* Tokens
  const settings = yield* AuthSettings
  const { render } = yield* MailTemplates
  const app = yield* ChangeMail.appName
  const language = yield* Texts.language
  const ttl = ttls[purpose](settings)
  const message = Effect.gen(function* () {
    const token = yield* Effect.orDie(tokens.mint(id, purpose, ttl))
    return yield* LinkMessage.compose(render, purpose, {
      to: email,
      base: settings.appUrl,
      token: token.value,
      ttl,
      language,
      ...(app !== undefined && { app })
    })
  })
  yield* Mailer.sendOrLog(message)
})

/** Whether this account may get one more e-mail. The response does not show it: that would reveal that the account exists. */
export const withinLimit = Effect.fnUntraced(function* (rule: Rule, email: string) {
  const limits = yield* RateLimit
  return (yield* limits.hit(rule, email)).allowed
})
