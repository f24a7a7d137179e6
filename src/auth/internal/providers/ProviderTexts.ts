// The texts of sign-in with providers: buttons, the page that completes a sign-up, linked identities, and refusals.

/** Every text of sign-in with providers. */
export interface ProviderTexts {
  /** Between the form and the buttons. */
  readonly or: string
  /** A button on the sign-in page. */
  readonly signIn: (provider: string) => string
  /** A button on the sign-up page. */
  readonly signUp: (provider: string) => string
  /** A button on the page of the confirmation. */
  readonly confirm: (provider: string) => string
  /** The return is late, was used, or belongs to another browser. */
  readonly expired: string
  readonly unavailable: (provider: string) => string
  /** The person has declined, or the response cannot be used; the same for every reason. */
  readonly refused: (provider: string) => string
  /** Where the address has an account. */
  readonly connect: (provider: string, label: string) => string
  /** Another account has the identity. */
  readonly taken: (provider: string) => string
  /** The same where no provider is named. */
  readonly inUse: string
  readonly complete: {
    readonly title: string
    readonly lead: (provider: string) => string
    readonly button: string
  }
  readonly identities: {
    readonly title: string
    readonly lead: string
    /** The link on the account page. */
    readonly manage: string
    readonly existing: string
    readonly none: string
    /** Before a time. */
    readonly created: string
    readonly lastUsed: string
    readonly neverUsed: string
    readonly link: string
    /** The button that connects one more. */
    readonly add: (provider: string) => string
    readonly remove: string
    readonly linked: (provider: string) => string
    readonly removed: string
  }
}

export const english: ProviderTexts = {
  or: "or",
  signIn: (provider) => `Sign in with ${provider}`,
  signUp: (provider) => `Sign up with ${provider}`,
  confirm: (provider) => `Confirm with ${provider}`,
  expired: "This sign-in took too long, or was started in another window. Try again.",
  unavailable: (provider) => `${provider} does not respond. Try again later, or sign in another way.`,
  refused: (provider) => `${provider} did not sign you in. Try again, or sign in another way.`,
  connect: (provider, label) =>
    `There is an account with this address. Sign in once, and ${provider} (${label}) will be connected to it.`,
  taken: (provider) => `This ${provider} account is connected to another account.`,
  inUse: "This identity is connected to another account.",
  complete: {
    title: "Complete your account",
    lead: (provider) => `${provider} has told us who you are. We need a little more.`,
    button: "Create account"
  },
  identities: {
    title: "Connected accounts",
    lead: "Sign in with an account that you have elsewhere.",
    manage: "Manage connected accounts",
    existing: "Connected",
    none: "Nothing is connected.",
    created: "connected",
    lastUsed: "last used",
    neverUsed: "never used",
    link: "Connect another account",
    add: (provider) => `Connect ${provider}`,
    remove: "Disconnect",
    linked: (provider) => `${provider} was connected.`,
    removed: "The account was disconnected. Its sessions and your remembered devices were signed out."
  }
}
