// The texts of the page on which a person reads what happened to their account.
import type { Event } from "../SecurityEvents.ts"

type Sentences = {
  readonly [Name in Exclude<Event["_tag"], "SessionsEnded">]: (event: Extract<Event, { readonly _tag: Name }>) => string
}

/** The title of the page, its links, and a sentence for each event. */
export interface ActivityTexts {
  readonly title: string
  readonly lead: string
  /** The link on the account page. */
  readonly open: string
  readonly none: string
  readonly older: string
  readonly newest: string
  readonly back: string
  /** Beside an event that failed. */
  readonly failed: string
  /** Beside an event that no person caused. */
  readonly actors: { readonly operator: string; readonly system: string }
  /** The sentence of `SessionsEnded`, by what was ended. */
  readonly ended: Readonly<Record<Extract<Event, { readonly _tag: "SessionsEnded" }>["which"], string>>
  readonly events: Sentences
}

const factors = {
  totp: "a one-time code",
  recovery_code: "a recovery code",
  passkey: "a passkey",
  password: "the password",
  provider: "a provider"
}

const methodOf = (by: string): string => (by === "password" || by === "passkey" || by === "provider" ? factors[by] : by)

/** The default texts. */
export const english: ActivityTexts = {
  title: "Activity of your account",
  lead: "What happened to your account, the newest first. If you do not recognize something, change your password.",
  open: "Show the activity",
  none: "Nothing has happened yet.",
  older: "Older",
  newest: "Back to the newest",
  back: "Back to your account",
  failed: "failed",
  actors: { operator: "by an operator", system: "automatically" },
  ended: {
    session: "Another session was signed out.",
    device: "A trusted device was forgotten.",
    others: "All other devices were signed out.",
    all: "All devices were signed out."
  },
  events: {
    SignedUp: () => "The account was created.",
    SignedIn: ({ by, factor }) =>
      factor === undefined
        ? `Signed in with ${methodOf(by)}.`
        : `Signed in with ${methodOf(by)} and ${factors[factor]}.`,
    SignInFailed: () => "Someone tried to sign in with a wrong password.",
    SecondStepExhausted: () => "The password was right, and all tries of the second step were used up.",
    FactorFailed: ({ factor }) => `The password was right, but ${factors[factor]} was wrong.`,
    SignedOut: () => "Signed out.",
    DeviceTrusted: () => "The device was trusted to sign in by itself.",
    PasswordChanged: () => "The password was changed.",
    PasswordReset: () => "The password was reset by a link in an e-mail.",
    PasswordSet: () => "A password was set.",
    PasswordRemoved: () => "The password was removed.",
    EmailVerified: () => "The e-mail address was verified.",
    EmailChangeRequested: () => "A change of the e-mail address was requested.",
    EmailChangeCancelled: () => "The change of the e-mail address was cancelled.",
    EmailChanged: () => "The e-mail address was changed.",
    EmailChangeUndone: () => "The change of the e-mail address was undone.",
    FactorAdded: ({ factor }) => `A second factor was added: ${factors[factor]}.`,
    FactorRemoved: ({ factor }) => `A second factor was removed: ${factors[factor]}.`,
    FactorRecoveryRequested: () => "A recovery was requested: all second factors were said to be lost.",
    FactorRecoveryCancelled: ({ by }) =>
      by === "link"
        ? "The recovery was cancelled by a link in an e-mail."
        : "The recovery ended: a second factor was used.",
    FactorRecoveryCompleted: () => "The recovery was completed: all second factors were removed.",
    RecoveryCodesRenewed: () => "New recovery codes were made.",
    RecoveryCodeUsed: ({ left }) => `A recovery code was used. Codes that are left: ${left}.`,
    PasskeyAdded: ({ name }) => `The passkey “${name}” was added.`,
    PasskeyRemoved: ({ name }) => `The passkey “${name}” was removed.`,
    IdentityLinked: ({ label, provider }) => `${provider} was connected: ${label}.`,
    IdentityUnlinked: ({ label, provider }) => `${provider} was disconnected: ${label}.`,
    TakenOver: ({ provider }) =>
      `${provider} verified the e-mail address. The password, devices and ways to sign in from before have ended.`,
    TokenCreated: ({ name }) => `The API token “${name}” was created.`,
    TokenRevoked: ({ name }) =>
      name === undefined ? "All API tokens were revoked." : `The API token “${name}” was revoked.`,
    Theft: () => "A copied cookie was used. All devices were signed out.",
    Confirmed: ({ by }) => `Confirmed again with ${methodOf(by)}.`,
    DeletionRequested: () => "The deletion of the account was requested.",
    DeletionCancelled: () => "The deletion of the account was cancelled.",
    AccountDeleted: () => "The account was deleted.",
    AccountExported: () => "The data of the account were exported.",
    ReportedNotMe: () => "Reported as “This was not me”. All devices were signed out."
  }
}
