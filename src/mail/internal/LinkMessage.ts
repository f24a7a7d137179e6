// A message with a link that proves access to the mailbox.
import { type Duration, Either, Redacted } from "effect"
import { english, type Language } from "../../http/Languages.ts"
import * as Words from "../../http/internal/text/Words.ts"
import { type InvalidAddress, Line, MailMessage, parseAddress } from "../MailMessage.ts"

/** What a person is told after it happened, with a link to say that it was not them. */
export type Notice =
  | "passwordChanged"
  | "passwordReset"
  | "passwordSet"
  | "passwordRemoved"
  | "newSignIn"
  | "factorAdded"
  | "factorRemoved"
  | "recoveryCodesRenewed"
  | "tokenCreated"
  | "identityLinked"
  | "identityUnlinked"
  | "theft"
  | "secondStepExhausted"
  /** What followed within the hour, collapsed into one message. */
  | "severalChanges"

/** The framework's e-mails. */
export type Kind =
  | "verification"
  | "recovery"
  /** To a new address: proves it. */
  | "emailChange"
  /** To a new address that has an account: nothing changes. */
  | "emailTaken"
  /** To the old address, which the link restores. */
  | "emailUndo"
  | "deletionRequested"
  /** All factors are said to be lost; the link cancels the recovery. */
  | "factorRecovery"
  /** The delay is over; the link completes the recovery. */
  | "factorRecoveryReady"
  | "accountDeleted"
  | Notice

/** The recipient and the link of a message. */
export interface Options {
  readonly to: string
  /** `APP_URL`, the base of every link. A `Host` header could be forged to send the token to an attacker. */
  readonly base: string
  /** `selector.verifier`; absent where the link is that of a page. */
  readonly token?: Redacted.Redacted
  /** The lifetime of the link, or how long it takes until what the message says. */
  readonly ttl?: Duration.DurationInput
  /** The name of the program; by default the host of `base`. */
  readonly app?: string
  /** The language of the message; English by default. */
  readonly language?: Language
  /** When and where it happened, in words, a line for each of several changes; absent where that is unknown. */
  readonly seen?: string | undefined
}

/**
 * What a template renders: the link is part of the text and of the HTML, each time once.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { MailTemplates } from "effect-framework/mail"
 *
 * const render = (mail: MailTemplates.Link): MailTemplates.Rendered => {
 *   const { html, subject, text } = MailTemplates.render(mail)
 *   return { html, subject: `[${mail.app}] ${subject}`, text }
 * }
 *
 * export const layer = Layer.succeed(MailTemplates.MailTemplates, { render })
 * ```
 */
export interface Link {
  readonly kind: Kind
  /** The name of the program. */
  readonly app: string
  readonly link: string
  /** The lifetime of the link, in words; empty where it does not end. */
  readonly ttl: string
  readonly language: Language
  /**
   * When and where it happened, in words; only in the messages after a change or a sign-in. With several changes it has a
   * line for each.
   */
  readonly seen?: string | undefined
}

/** The subject and both parts of a message. */
export interface Rendered {
  readonly subject: string
  readonly text: string
  readonly html: string
}

const paths: Readonly<Record<Exclude<Kind, Notice>, string>> = {
  verification: "verify",
  recovery: "reset",
  emailChange: "account/email",
  emailTaken: "login",
  emailUndo: "account/email/undo",
  deletionRequested: "account/delete",
  factorRecovery: "login/factor/recovery/cancel",
  factorRecoveryReady: "login/factor/recovery",
  accountDeleted: ""
}

const isNotice = (kind: Kind): kind is Notice => !Object.hasOwn(paths, kind)

const segments = (token: Redacted.Redacted): string =>
  Redacted.value(token).split(".").map(encodeURIComponent).join("/")

const linkOf = (kind: Kind, { base, token }: Options): string =>
  `${base}/${isNotice(kind) ? "not-me" : paths[kind]}${token === undefined ? "" : `/${segments(token)}`}`

/** The message of this kind, by this template. */
export const compose = (
  render: (mail: Link) => Rendered,
  kind: Kind,
  options: Options
): Either.Either<MailMessage, InvalidAddress> =>
  Either.map(parseAddress(options.to), (to) => {
    const { app = new URL(options.base).host, language = english, seen } = options
    const ttl = options.ttl === undefined ? "" : Words.lifetime(options.ttl, language.locale)
    const { html, subject, text } = render({ kind, app, link: linkOf(kind, options), ttl, language, seen })
    return new MailMessage({ to, subject: Line.make(subject), text: Redacted.make(text), html: Redacted.make(html) })
  })
