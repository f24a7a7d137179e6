// E-mails about changes of an account, in the language of the request or, outside of one, of the request that it was asked for
// with.
import { HttpServerRequest } from "@effect/platform"
import { Context, type Duration, Effect, Option, type Redacted } from "effect"
import { AuthSettings } from "../../../src/auth/AuthSettings.ts"
import { Layout } from "../../../src/http/Layout.ts"
import * as RequestTexts from "../../http/internal/RequestTexts.ts"
import * as LinkMessage from "../../../src/mail/internal/LinkMessage.ts"
import { MailTemplates } from "../../../src/mail/MailTemplates.ts"

const languageOr = (asked: string | undefined) =>
  Effect.contextWith((services: Context.Context<never>) => {
    const request = Option.getOrUndefined(Context.getOption(services, HttpServerRequest.HttpServerRequest))
    return RequestTexts.bind(services, request?.headers["accept-language"] ?? asked)
  })

/** The language of this request in the form that is stored for a later message: that of the program outside of one. */
export const asked: Effect.Effect<string> = Effect.map(languageOr(undefined), ({ locale }) => locale)

/** The name of the program as its messages show it; `undefined` for an API, which has no layout. */
export const appName: Effect.Effect<string | undefined> = Effect.map(
  Effect.serviceOption(Layout),
  (layout) => Option.getOrUndefined(layout)?.name
)

interface Contents {
  readonly to: string
  readonly token?: Redacted.Redacted
  readonly ttl?: Duration.DurationInput
  /** The language that was stored, for a message outside of a request; that of the program by default. */
  readonly asked?: string
}

/** The message of this kind. */
export const compose = Effect.fnUntraced(function* (kind: LinkMessage.Kind, { asked, ...contents }: Contents) {
  const { appUrl: base } = yield* AuthSettings
  const { render } = yield* MailTemplates
  const app = yield* appName
  const options = { base, language: yield* languageOr(asked), ...contents, ...(app !== undefined && { app }) }
  return yield* LinkMessage.compose(render, kind, options)
})
