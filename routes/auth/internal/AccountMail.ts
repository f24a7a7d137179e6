// E-mails to the owner of an account, and the tokens of the links in them. In the language of the request or, outside of one, of
// the request that the change was asked for with.
import { HttpRouter, HttpServerRequest } from "@effect/platform"
import { Context, Effect, Option, Redacted } from "effect"
import type { Identity } from "../../../src/session/Identity.ts"
import { RateLimit, type Rule } from "../../../src/session/RateLimit.ts"
import { AuthConfig, type Settings } from "../../../src/auth/AuthConfig.ts"
import { type Purpose, Tokens } from "../../../src/auth/Tokens.ts"
import * as LinkMessage from "../../../src/mail/internal/LinkMessage.ts"
import { MailTemplates } from "../../../src/mail/MailTemplates.ts"
import * as Mailer from "../../../src/mail/Mailer.ts"
import { Layout } from "../../../src/http/Layout.ts"
import * as RequestTexts from "../../http/internal/RequestTexts.ts"
import { fromLink } from "../../../src/session/internal/SplitToken.ts"
import * as FormFields from "../../http/internal/FormFields.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

const languageOr = (asked: string | undefined) =>
  RequestServices.read((services: Context.Context<never>) => {
    const request = Option.getOrUndefined(Context.getOption(services, HttpServerRequest.HttpServerRequest))
    return RequestTexts.bind(services, request?.headers["accept-language"] ?? asked)
  })

/** The language of this request in the form that is stored for a later message: that of the program outside of one. */
export const asked: Effect.Effect<string> = Effect.map(languageOr(undefined), ({ locale }) => locale)

interface Contents extends Pick<LinkMessage.Options, "to" | "token" | "ttl" | "seen"> {
  /** The language that was stored, for a message outside of a request; that of the program by default. */
  readonly asked?: string
}

/** The name of the program in a message. An API has no layout, and so no name: there it is the host. */
export const appName = Effect.gen(function* () {
  const { appUrl } = yield* AuthConfig
  const layout = yield* Effect.serviceOption(Layout)
  return Option.getOrUndefined(layout)?.name ?? new URL(appUrl).host
})

/** The message of this kind. */
export const compose = Effect.fnUntraced(function* (kind: LinkMessage.Kind, { asked, ...contents }: Contents) {
  const { appUrl: base } = yield* AuthConfig
  const { render } = yield* MailTemplates
  const options = { base, language: yield* languageOr(asked), app: yield* appName, ...contents }
  return yield* LinkMessage.compose(render, kind, options)
})

/** The purposes of links that a person asks for. */
type Asked = Extract<Purpose, "verification" | "recovery">

const ttls: Readonly<Record<Asked, (settings: Settings) => Settings["recoveryTtl"]>> = {
  verification: ({ verificationTtl }) => verificationTtl,
  recovery: ({ recoveryTtl }) => recoveryTtl
}

/** Mints a token and sends the e-mail that carries it: with a queue both are stored, or neither. */
export const post = Effect.fnUntraced(function* (purpose: Asked, { email: to, id }: Identity) {
  const tokens = yield* Tokens
  const ttl = ttls[purpose](yield* AuthConfig)
  const minted = Effect.orDie(tokens.mint(id, purpose, ttl))
  yield* Mailer.sendOrLog(Effect.flatMap(minted, ({ value: token }) => compose(purpose, { to, token, ttl })))
})

/** Whether this account may get one more e-mail. The response does not show it: that would reveal that the account exists. */
export const withinLimit = Effect.fnUntraced(function* (rule: Rule, email: string) {
  const limits = yield* RateLimit
  return (yield* limits.hit(rule, email)).allowed
})

/** The token of the link that was opened. */
export const presentedToken = Effect.map(HttpRouter.params, ({ selector = "", verifier = "" }) =>
  fromLink(selector, verifier)
)

/** The token of a payload: `selector/verifier`, as in the link, or `selector.verifier`, as in a cookie. */
export const sentToken = Effect.map(FormFields.read, (fields) =>
  Redacted.make((fields.repeated.has("token") ? "" : (fields.get("token") ?? "")).replace("/", "."))
)
