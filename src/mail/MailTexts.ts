// The texts of the framework's e-mails. A program replaces some, a language all of them.
import { Context } from "effect"

/** The texts of one e-mail with a link. `app` is the name of the program. */
interface LinkTexts {
  readonly subject: (app: string) => string
  readonly lead: (app: string) => string
  /** The text of the link. */
  readonly action: string
  /** What to do for someone who did not ask for the e-mail. */
  readonly doubt: string
}

/** Every text of the e-mails. */
export interface Texts {
  readonly verification: LinkTexts
  readonly recovery: LinkTexts
  /** How long the link works; `ttl` is a duration in words. */
  readonly lifetime: (ttl: string) => string
}

/** The default texts. */
export const english: Texts = {
  verification: {
    subject: () => "Confirm your e-mail address",
    lead: (app) => `An account at ${app} was opened with this address. Please confirm that it is yours.`,
    action: "Confirm the address",
    doubt: "If you did not open an account, ignore this message: the address stays unconfirmed."
  },
  recovery: {
    subject: () => "Choose a new password",
    lead: (app) => `Somebody asked for a new password for your account at ${app}.`,
    action: "Choose a new password",
    doubt: "If it was not you, ignore this message: your password stays as it is."
  },
  lifetime: (ttl) => `The link works once, for ${ttl}.`
}

/** The texts of the e-mails; English unless the program or the language of the request replaces them. */
export class MailTexts extends Context.Reference<MailTexts>()("effect-framework/mail/MailTexts", {
  defaultValue: () => english
}) {}
