// The texts of the framework's e-mails. A program replaces some, a language all of them.
import { Context } from "effect"

/** The texts of one e-mail with a link. `app` is the name of the program. */
export interface LinkTexts {
  readonly subject: (app: string) => string
  readonly lead: (app: string) => string
  /** The text of the link. */
  readonly action: string
  /** What to do for someone who did not ask for the e-mail. */
  readonly doubt: string
  /** In place of how long the link works. */
  readonly lifetime?: (ttl: string) => string
}

const notMe = {
  action: "This was not me",
  doubt:
    "The link signs out every device and sends you a link to choose a new password. If it was you, there is nothing to do."
}

const messages = {
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
  passwordChanged: {
    subject: () => "Your password was changed",
    lead: (app) => `The password of your account at ${app} was changed, and other devices were signed out.`,
    ...notMe
  },
  passwordReset: {
    subject: () => "Your password was reset",
    lead: (app) =>
      `A new password was set for your account at ${app} by a link in an e-mail. All devices were signed out.`,
    ...notMe
  },
  passwordSet: {
    subject: () => "A password was set for your account",
    lead: (app) =>
      `Your account at ${app} had no password. One was set, which can now be used to sign in, and other devices were signed out.`,
    ...notMe
  },
  passwordRemoved: {
    subject: () => "Your password was removed",
    lead: (app) =>
      `The password of your account at ${app} was removed. The other ways to sign in stay, and other devices were signed out.`,
    ...notMe
  },
  newSignIn: {
    subject: () => "New sign-in to your account",
    lead: (app) => `Someone signed in to your account at ${app} from a new device or location.`,
    ...notMe
  },
  factorAdded: {
    subject: () => "A sign-in method was added",
    lead: (app) => `A second factor or a passkey was added to your account at ${app}.`,
    ...notMe
  },
  factorRemoved: {
    subject: () => "A sign-in method was removed",
    lead: (app) => `A second factor or a passkey was removed from your account at ${app}.`,
    ...notMe
  },
  recoveryCodesRenewed: {
    subject: () => "New recovery codes were made",
    lead: (app) => `New recovery codes were made for your account at ${app}. The old ones no longer work.`,
    ...notMe
  },
  tokenCreated: {
    subject: () => "A new API token was created",
    lead: (app) => `A program can now act for your account at ${app} with a new API token.`,
    ...notMe
  },
  identityLinked: {
    subject: () => "A new way to sign in was connected",
    lead: (app) => `An account at another provider can now sign in to your account at ${app}.`,
    ...notMe
  },
  identityUnlinked: {
    subject: () => "A way to sign in was disconnected",
    lead: (app) => `An account at another provider can no longer sign in to your account at ${app}.`,
    ...notMe
  },
  theft: {
    subject: () => "Your account was used from a copied cookie",
    lead: (app) =>
      `Someone used a copy of a cookie that kept you signed in at ${app}. All devices were signed out. Change your password.`,
    ...notMe
  },
  secondStepExhausted: {
    subject: () => "Somebody knows your password",
    lead: (app) =>
      `Somebody entered the right password of your account at ${app} and then used up all tries of the second step. They did not get in.`,
    ...notMe
  },
  /** What followed within the hour; each change is one line, with the subject of its own message. */
  severalChanges: {
    subject: () => "More changes to your account",
    lead: (app) => `This happened to your account at ${app} after the change that we told you about:`,
    ...notMe
  },
  emailChange: {
    subject: () => "Confirm your new e-mail address",
    lead: (app) => `Somebody wants to use this address for their account at ${app}. Please confirm that it is yours.`,
    action: "Use this address",
    doubt: "If it was not you, ignore this message: the account keeps its old address."
  },
  emailTaken: {
    subject: () => "This address already has an account",
    lead: (app) =>
      `Somebody wants to use this address for their account at ${app}. It has an account already, so nothing was changed.`,
    action: "Sign in to that account",
    doubt: "If it was not you, there is nothing to do."
  },
  emailUndo: {
    subject: () => "Your e-mail address was changed",
    lead: (app) => `Your account at ${app} now has another e-mail address. This one no longer belongs to it.`,
    action: "Undo the change",
    doubt: "If it was not you, undo it: all devices are signed out, and you choose a new password."
  },
  deletionRequested: {
    subject: () => "Your account will be deleted",
    lead: (app) => `Somebody asked for the deletion of your account at ${app}, and all devices were signed out.`,
    action: "Keep the account",
    doubt: "If it was not you, sign in, keep the account and change your password.",
    lifetime: (ttl) => `It is deleted after ${ttl}. Until then you can sign in and keep it.`
  },
  accountDeleted: {
    subject: () => "Your account was deleted",
    lead: (app) => `Your account at ${app} and what it stored were deleted, as you asked.`,
    action: "Open the site",
    doubt: "This is the last message to this address."
  },
  factorRecovery: {
    subject: () => "Somebody says that your second factors are lost",
    lead: (app) =>
      `Somebody who knows the password of your account at ${app} asked to remove its authenticator apps and recovery codes.`,
    action: "Cancel this",
    doubt:
      "If it was you, wait for the second message. If it was not you, cancel it and choose a new password: somebody knows yours. A sign-in with a second factor cancels it too.",
    lifetime: (ttl) => `Nothing happens for ${ttl}. Then we send you a link that removes them.`
  },
  factorRecoveryReady: {
    subject: () => "Remove your lost second factors",
    lead: (app) =>
      `As you asked, the authenticator apps and recovery codes of your account at ${app} can be removed now. You need your password.`,
    action: "Remove the second factors",
    doubt: "If it was not you, open the link and cancel the recovery there, and choose a new password."
  }
} satisfies Readonly<Record<string, LinkTexts>>

type Messages = { readonly [Kind in keyof typeof messages]: LinkTexts }

/** Every text of the e-mails. */
export interface Texts extends Messages {
  /** How long the link works; `ttl` is a duration in words. */
  readonly lifetime: (ttl: string) => string
}

/** The default texts. */
export const english: Texts = { ...messages, lifetime: (ttl) => `The link works once, for ${ttl}.` }

/** The texts of the e-mails; English unless the program or the language of the request replaces them. */
export class MailTexts extends Context.Reference<MailTexts>()("effect-framework/mail/MailTexts", {
  defaultValue: () => english
}) {}
