// The two letters of the framework: confirm an address, choose a new password.
import { Duration, Either, Redacted } from "effect"
import { type Html, html, trusted } from "../http/Html.ts"
import { address, type InvalidAddress, MailMessage, Line } from "./MailMessage.ts"

/** What a letter is made of; its token is a secret. */
export interface LinkOptions {
  readonly to: string
  /** `APP_URL`, the base of every link: a `Host` header could send the token to someone else. */
  readonly base: string
  /** `selector.verifier` */
  readonly token: Redacted.Redacted
  /** How long the link lives. */
  readonly ttl: Duration.DurationInput
}

interface Words {
  readonly path: "verify" | "reset"
  readonly subject: string
  readonly lead: (site: string) => string
  readonly action: string
  readonly doubt: string
}

const verificationWords: Words = {
  path: "verify",
  subject: "Confirm your e-mail address",
  lead: (site) => `An account at ${site} was opened with this address. Please confirm that it is yours.`,
  action: "Confirm the address",
  doubt: "If you did not open an account, ignore this letter: the address stays unconfirmed."
}

const recoveryWords: Words = {
  path: "reset",
  subject: "Choose a new password",
  lead: (site) => `Somebody asked for a new password for your account at ${site}.`,
  action: "Choose a new password",
  doubt: "If it was not you, ignore this letter: your password stays as it is."
}

const unit = (count: number, name: string): string => `${count} ${name}${count === 1 ? "" : "s"}`

/** A lifetime as a person says it, never longer than the truth. */
export const durationInWords = (ttl: Duration.DurationInput): string => {
  const minutes = Math.floor(Duration.toMinutes(ttl))
  if (minutes >= 2880) return unit(Math.floor(minutes / 1440), "day")
  if (minutes >= 60 && (minutes % 60 === 0 || minutes >= 300)) return unit(Math.floor(minutes / 60), "hour")
  return minutes >= 1 ? unit(minutes, "minute") : unit(Math.max(1, Math.floor(Duration.toSeconds(ttl))), "second")
}

const linkOf = (words: Words, occasion: LinkOptions): string => {
  const token = Redacted.value(occasion.token).split(".").map(encodeURIComponent).join("/")
  return `${occasion.base}/${words.path}/${token}`
}

const plain = (words: Words, site: string, link: string, ttl: string): string =>
  `${words.lead(site)}

${words.action}:

${link}

The link works once, for ${ttl}.

${words.doubt}
`

// Mail clients keep tables and inline styles, drop much else; the style block is only for dark mode and small screens.
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

// An entity stands for every character beyond ASCII: no relay on the way can damage it.
const entities = (markup: string): string =>
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

const rich = (words: Words, site: string, link: string, ttl: string): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width,initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no" />
        <title>${words.subject}</title>
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
                      ${words.subject}
                    </h1>
                    <p class="ink" style="margin:0 0 24px;${font};font-size:16px;line-height:24px;color:#16181d">
                      ${words.lead(site)}
                    </p>
                    ${button(words.action, link)}
                    <p class="faint" style="margin:24px 0 0;${font};font-size:14px;line-height:21px;color:#5a6170">
                      The link works once, for ${ttl}. ${words.doubt}
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

const write = (words: Words, occasion: LinkOptions): Either.Either<MailMessage, InvalidAddress> =>
  Either.map(address(occasion.to), (to) => {
    const site = new URL(occasion.base).host
    const link = linkOf(words, occasion)
    const ttl = durationInWords(occasion.ttl)
    return new MailMessage({
      to,
      subject: Line.make(words.subject),
      text: Redacted.make(plain(words, site, link, ttl)),
      html: Redacted.make(entities(rich(words, site, link, ttl).markup))
    })
  })

/** Asks whoever reads the address to confirm it. */
export const verification = (occasion: LinkOptions): Either.Either<MailMessage, InvalidAddress> =>
  write(verificationWords, occasion)

/** Lets whoever reads the address choose a new password. */
export const recovery = (occasion: LinkOptions): Either.Either<MailMessage, InvalidAddress> =>
  write(recoveryWords, occasion)
