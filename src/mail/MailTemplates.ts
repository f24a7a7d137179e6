// The framework's own messages: confirm an address, choose a new password.
import { type Duration, Either, Redacted } from "effect"
import { type Html, html, trusted } from "../http/Html.ts"
import { durationInWords } from "./DurationInWords.ts"
import { parseAddress, type InvalidAddress, MailMessage, Line } from "./MailMessage.ts"

/** The recipient and the link of a message. */
interface LinkOptions {
  readonly to: string
  /** `APP_URL`, the base of every link. A `Host` header could be forged to send the token to an attacker. */
  readonly base: string
  /** `selector.verifier` */
  readonly token: Redacted.Redacted
  /** The lifetime of the link. */
  readonly ttl: Duration.DurationInput
}

interface Wording {
  readonly path: "verify" | "reset"
  readonly subject: string
  readonly lead: (site: string) => string
  readonly action: string
  readonly doubt: string
}

const verificationWording: Wording = {
  path: "verify",
  subject: "Confirm your e-mail address",
  lead: (site) => `An account at ${site} was opened with this address. Please confirm that it is yours.`,
  action: "Confirm the address",
  doubt: "If you did not open an account, ignore this message: the address stays unconfirmed."
}

const recoveryWording: Wording = {
  path: "reset",
  subject: "Choose a new password",
  lead: (site) => `Somebody asked for a new password for your account at ${site}.`,
  action: "Choose a new password",
  doubt: "If it was not you, ignore this message: your password stays as it is."
}

const linkOf = (wording: Wording, options: LinkOptions): string => {
  const token = Redacted.value(options.token).split(".").map(encodeURIComponent).join("/")
  return `${options.base}/${wording.path}/${token}`
}

const plainText = (wording: Wording, site: string, link: string, ttl: string): string =>
  `${wording.lead(site)}

${wording.action}:

${link}

The link works once, for ${ttl}.

${wording.doubt}
`

// Mail clients support tables and inline styles and little else; the style block is for dark mode and small screens.
const styles = trusted(`<style>
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

const htmlText = (wording: Wording, site: string, link: string, ttl: string): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no" />
        <title>${wording.subject}</title>
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
                      ${wording.subject}
                    </h1>
                    <p class="ink" style="margin:0 0 24px;${font};font-size:16px;line-height:24px;color:#16181d">
                      ${wording.lead(site)}
                    </p>
                    ${button(wording.action, link)}
                    <p class="faint" style="margin:24px 0 0;${font};font-size:14px;line-height:21px;color:#5a6170">
                      The link works once, for ${ttl}. ${wording.doubt}
                    </p>
                  </td>
                </tr>
              </table>
              <p class="faint" style="margin:16px 0 0;${font};font-size:13px;line-height:20px;color:#5a6170">${site}</p>
            </td>
          </tr>
        </table>
      </body>
    </html> `

const compose = (wording: Wording, options: LinkOptions): Either.Either<MailMessage, InvalidAddress> =>
  Either.map(parseAddress(options.to), (to) => {
    const site = new URL(options.base).host
    const link = linkOf(wording, options)
    const ttl = durationInWords(options.ttl)
    return new MailMessage({
      to,
      subject: Line.make(wording.subject),
      text: Redacted.make(plainText(wording, site, link, ttl)),
      html: Redacted.make(escapeNonAscii(htmlText(wording, site, link, ttl).markup))
    })
  })

/** The message with the link that confirms the address. */
export const verification = (options: LinkOptions): Either.Either<MailMessage, InvalidAddress> =>
  compose(verificationWording, options)

/** The message with the link to choose a new password. */
export const recovery = (options: LinkOptions): Either.Either<MailMessage, InvalidAddress> =>
  compose(recoveryWording, options)
