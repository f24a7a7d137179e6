// Rate limits of the authentication routes: by client, and by account whatever the client.
import type { Rule } from "../../session/RateLimit.ts"

const rule = (scope: string, limit: number, seconds: number): Rule => ({ scope, limit, window: `${seconds} seconds` })

/** The rule of each route. The limits by account stop many addresses from guessing one password or filling one mailbox. */
export const rules = {
  /** 5 sign-ups from one client in 10 minutes. */
  register: rule("register", 5, 600),
  /** 5 sign-in attempts from one client in a minute, successful or not. */
  login: rule("login", 5, 60),
  /** 10 verification links opened by one client in a minute. */
  verify: rule("verify", 10, 60),
  /** 3 verification e-mails requested by one client in 10 minutes. */
  resend: rule("resend", 3, 600),
  /** 3 recovery e-mails requested by one client in 10 minutes. */
  forgot: rule("forgot", 3, 600),
  /** 5 password resets from one client in 10 minutes. */
  reset: rule("reset", 5, 600),
  /** 5 password changes and new API tokens from one client in a minute, successful or not. */
  password: rule("password", 5, 60),
  /** 5 confirmations from one client in a minute, successful or not. */
  confirm: rule("confirm", 5, 60),
  /** 10 sign-ins with a passkey, and new passkeys, from one client in a minute. */
  passkey: rule("passkey", 10, 60),
  /** 20 challenges for a passkey from one client in a minute: each is a row for five minutes. */
  passkeyOptions: rule("passkey.options", 20, 60),
  /** 20 sign-ins with a provider begun by one client in a minute. */
  provider: rule("provider", 20, 60),
  /** 20 returns from a provider by one client in a minute: each may ask the provider. */
  providerCallback: rule("provider.callback", 20, 60),
  /** 5 changes of the e-mail requested by one client in 10 minutes. */
  emailChange: rule("email_change", 5, 600),
  /** 5 downloads of what is stored by one client in 10 minutes. */
  exported: rule("exported", 5, 600),
  /** 3 downloads of what is stored of one account in an hour. */
  exportedPerAccount: rule("exported.account", 3, 3600),
  /** 30 unknown API tokens from one client in a minute; a valid one passes all the same. */
  apiToken: rule("api_token", 30, 60),
  /** 10 codes of a second factor from one client in a minute. */
  factor: rule("factor", 10, 60),
  /** 20 codes of an authenticator app for one account in an hour, from all devices together that it does not know. */
  factorPerAccount: rule("factor.account", 20, 3600),
  /** 20 from each of its known devices, so that a stranger with the password cannot lock the owner out. */
  factorPerDevice: rule("factor.device", 20, 3600),
  /** One browser in an hour becomes known to an account by a reset: whoever reads the mailbox gets no tries with each reset. */
  knownByReset: rule("known_device.reset", 1, 3600),
  /** The owner hears once in an hour that the 20 are used up. */
  factorExhausted: rule("factor.exhausted", 1, 3600),
  /** 5 recoveries after the loss of every factor requested by one client in 10 minutes. */
  factorRecovery: rule("factor_recovery", 5, 600),
  /** 10 links of such recoveries opened or cancelled by one client in a minute. */
  factorRecoveryLink: rule("factor_recovery.link", 10, 60),
  /** 3 requests for the recovery of one account in a day: each is an e-mail. */
  factorRecoveryPerAccount: rule("factor_recovery.account", 3, 86_400),
  /** 30 sign-in attempts to one account in 10 minutes. */
  loginPerAccount: rule("login.account", 30, 600),
  /** 20 tries by signed-in clients to prove who has one account in 10 minutes: `/confirm`, `/password` and new API tokens. */
  confirmPerAccount: rule("confirm.account", 20, 600),
  /** 10 sign-in attempts to one account from one of its known devices in 10 minutes, when others have used up the 30. */
  loginPerDevice: rule("login.device", 10, 600),
  /** 10 "not me" links opened or used by one client in a minute. */
  notMe: rule("not_me", 10, 60),
  /** 20 new credentials of one account in an hour: passwords, addresses, apps, recovery codes, passkeys, identities at providers and API tokens. */
  credentialsPerAccount: rule("credentials.account", 20, 3600),
  /** 10 notices to one recipient in an hour; the collapsed one, every 45 minutes at most, makes them 12. */
  noticesPerRecipient: rule("notice.recipient", 10, 3600),
  /** The first notice of each kind in an hour is sent at once. */
  noticesPerKind: rule("notice.kind", 1, 3600),
  /** 3 e-mails that one account sends to new addresses in 10 minutes. */
  emailChangePerAccount: rule("email_change.account", 3, 600),
  /** 3 e-mails about a change to one address in 10 minutes. */
  emailChangePerAddress: rule("email_change.address", 3, 600),
  /** 3 verification e-mails to one account in 10 minutes. */
  resendPerAccount: rule("resend.account", 3, 600),
  /** 3 recovery e-mails to one account in 10 minutes. */
  forgotPerAccount: rule("forgot.account", 3, 600)
} as const
