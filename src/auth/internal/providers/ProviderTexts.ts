// The texts of sign-in with providers: buttons, the page that completes a sign-up, linked identities, and refusals.
import type { Catalogue } from "../../../http/Languages.ts"

/** The default texts. */
export const english = {
  /** Between the form and the buttons. */
  or: "or",
  /** A button on the sign-in page. */
  signIn: (provider: string) => `Sign in with ${provider}`,
  /** A button on the sign-up page. */
  signUp: (provider: string) => `Sign up with ${provider}`,
  /** A button on the page of the confirmation. */
  confirm: (provider: string) => `Confirm with ${provider}`,
  /** The return is late, was used, or belongs to another browser. */
  expired: "This sign-in took too long, or was started in another window. Try again.",
  unavailable: (provider: string) => `${provider} does not respond. Try again later, or sign in another way.`,
  /** The person has declined, or the response cannot be used; the same for every reason. */
  refused: (provider: string) => `${provider} did not sign you in. Try again, or sign in another way.`,
  /** Where the address has an account. */
  connect: (provider: string, label: string) =>
    `There is an account with this address. Sign in once, and ${provider} (${label}) will be connected to it.`,
  /** Another account has the identity. */
  taken: (provider: string) => `This ${provider} account is connected to another account.`,
  /** The same where no provider is named. */
  inUse: "This identity is connected to another account.",
  complete: {
    title: "Complete your account",
    lead: (provider: string) => `${provider} has told us who you are. We need a little more.`,
    button: "Create account"
  },
  identities: {
    title: "Connected accounts",
    lead: "Sign in with an account that you have elsewhere.",
    /** The link on the account page. */
    manage: "Manage connected accounts",
    existing: "Connected",
    none: "Nothing is connected.",
    /** Before a time. */
    created: "connected",
    lastUsed: "last used",
    neverUsed: "never used",
    link: "Connect another account",
    /** The button that connects one more. */
    add: (provider: string) => `Connect ${provider}`,
    remove: "Disconnect",
    linked: (provider: string) => `${provider} was connected.`,
    removed: "The account was disconnected. Its sessions and your remembered devices were signed out."
  }
}

/** Every text of sign-in with providers. */
export interface ProviderTexts extends Catalogue<typeof english> {}
