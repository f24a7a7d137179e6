// The framework's own e-mails: confirm an address, choose a new password, and what happened to an account.
import { Context, type Either } from "effect"
import { type Html, html, unsafeRaw } from "../http/Html.ts"
import * as LinkMessage from "./internal/LinkMessage.ts"
import { MailTexts } from "./MailTexts.ts"
import type { InvalidAddress, MailMessage } from "./MailMessage.ts"

export type { Link, Options, Rendered } from "./internal/LinkMessage.ts"

const lifetimeOf = (kind: LinkMessage.Kind, language: LinkMessage.Link["language"], ttl: string): string => {
  const { lifetime, [kind]: texts } = language.texts(MailTexts)
  return ttl === "" ? "" : (texts.lifetime ?? lifetime)(ttl)
}

const plainText = ({ app, kind, language, link, seen, ttl }: LinkMessage.Link): string => {
  const { [kind]: texts } = language.texts(MailTexts)
  const until = lifetimeOf(kind, language, ttl)
  return `${texts.lead(app)}
${seen === undefined ? "" : `\n${seen}\n`}
${texts.action}:

${link}
${until === "" ? "" : `\n${until}\n`}
${texts.doubt}
`
}

// Mail clients support tables and inline styles and little else; the style block is for dark mode and small screens.
const styles = unsafeRaw(`<style>
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
  .page { background: #16181d !important }
  .card { background: #22252c !important; border-color: #3a3f4a !important }
  .ink { color: #f2f3f5 !important }
  .faint { color: #aab0bc !important }
}
@media (max-width: 480px) { .inner { padding: 24px 20px !important } }
</style>`)

const font = "font-family:system-ui,-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif"

// Non-ASCII characters become entities, so that no mail relay can corrupt them.
const escapeNonAscii = (markup: string): string =>
  markup.replace(/[^\0-\x7f]/gu, (character) => `&#${character.codePointAt(0)};`)

const button = (label: string, link: string): Html =>
  html`<table role="presentation" cellpadding="0" cellspacing="0">
    <tr>
      <td bgcolor="#1f5eff" style="border-radius:6px;background:#1f5eff">
        <a
          href="${link}"
          style="display:inline-block;padding:12px 22px;${font};font-size:16px;font-weight:600;line-height:20px;color:#ffffff;text-decoration:none;border-radius:6px"
          >${label}</a
        >
      </td>
    </tr>
  </table>`

const htmlText = ({ app, kind, language, link, seen, ttl }: LinkMessage.Link): Html => {
  const { [kind]: texts } = language.texts(MailTexts)
  return html`<!doctype html>
    <html lang="${language.tag}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no" />
        <title>${texts.subject(app)}</title>
        ${styles}
      </head>
      <body class="page" style="margin:0;padding:0;background:#f3f4f6">
        <table
          role="presentation"
          class="page"
          width="100%"
          cellpadding="0"
          cellspacing="0"
          bgcolor="#f3f4f6"
          style="background:#f3f4f6"
        >
          <tr>
            <td align="center" style="padding:32px 12px">
              <table
                role="presentation"
                class="card"
                width="520"
                cellpadding="0"
                cellspacing="0"
                bgcolor="#ffffff"
                style="width:100%;max-width:520px;background:#ffffff;border:1px solid #dfe2e8;border-radius:10px"
              >
                <tr>
                  <td class="inner" style="padding:36px 40px;text-align:left">
                    <h1 class="ink" style="margin:0 0 16px;${font};font-size:22px;line-height:28px;color:#16181d">
                      ${texts.subject(app)}
                    </h1>
                    <p class="ink" style="margin:0 0 24px;${font};font-size:16px;line-height:24px;color:#16181d">
                      ${texts.lead(app)}
                    </p>
                    ${
                      seen !== undefined &&
                      html`<p class="ink" style="margin:0 0 24px;${font};font-size:16px;line-height:24px;color:#16181d">
                        ${seen.split("\n").map((line, index) => html`${index > 0 && unsafeRaw("<br />")}${line}`)}
                      </p>`
                    }
                    ${button(texts.action, link)}
                    <p class="faint" style="margin:24px 0 0;${font};font-size:14px;line-height:21px;color:#5a6170">
                      ${lifetimeOf(kind, language, ttl)} ${texts.doubt}
                    </p>
                  </td>
                </tr>
              </table>
              <p class="faint" style="margin:16px 0 0;${font};font-size:13px;line-height:20px;color:#5a6170">${app}</p>
            </td>
          </tr>
        </table>
      </body>
    </html> `
}

/** The message that the default template renders. */
export const render = (mail: LinkMessage.Link): LinkMessage.Rendered => ({
  subject: mail.language.texts(MailTexts)[mail.kind].subject(mail.app),
  text: plainText(mail),
  html: escapeNonAscii(htmlText(mail).markup)
})

/** Renders the e-mails. Replace it to give them another design; `MailTexts` alone replaces their words. */
export class MailTemplates extends Context.Reference<MailTemplates>()("effect-framework/mail/MailTemplates", {
  defaultValue: () => ({ render })
}) {}

/**
 * The message with the link that confirms the address.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Tokens } from "effect-framework/auth"
 * import { Mailer, MailTemplates } from "effect-framework/mail"
 * import type { Identity } from "effect-framework/session"
 *
 * // Reminds an account whose address was never confirmed, outside of a request.
 * export const remind = (user: Identity.AccountId, to: string) =>
 *   Effect.gen(function* () {
 *     const { mint } = yield* Tokens.Tokens
 *     const { value: token } = yield* mint(user, "verification", "1 day")
 *     return yield* MailTemplates.verification({ to, base: "https://teapots.example.com", token, ttl: "1 day" })
 *   }).pipe(Mailer.sendOrLog)
 * ```
 */
export const verification = (options: LinkMessage.Options): Either.Either<MailMessage, InvalidAddress> =>
  LinkMessage.compose(render, "verification", options)

/** The message with the link to choose a new password. */
export const recovery = (options: LinkMessage.Options): Either.Either<MailMessage, InvalidAddress> =>
  LinkMessage.compose(render, "recovery", options)
