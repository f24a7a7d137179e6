// The texts of passkeys: their page, the button on the sign-in page, and what is said when one is not accepted.

/** Every text of passkeys. */
export interface PasskeyTexts {
  readonly title: string
  readonly lead: string
  /** The link on the account page. */
  readonly manage: string
  readonly existing: string
  readonly none: string
  /** Before a time, such as `created 2 hours ago`. */
  readonly created: string
  readonly lastUsed: string
  readonly neverUsed: string
  /** Beside a passkey that a provider keeps a copy of. */
  readonly synced: string
  readonly rename: string
  readonly saveName: string
  readonly renamed: string
  readonly remove: string
  readonly removed: string
  readonly create: string
  readonly name: string
  readonly nameHint: string
  readonly button: string
  readonly done: string
  readonly tooMany: (limit: number) => string
  /** For an account whose address is not verified. */
  readonly unverified: string
  /** In a browser without scripts or without passkeys. */
  readonly unsupported: string
  /** The person has cancelled, or the device has no passkey. */
  readonly failed: string
  /** The device has a passkey of this account already. */
  readonly known: string
  /** A passkey was not accepted; the same for every reason. */
  readonly refused: string
  /** The button on the sign-in page. */
  readonly signIn: string
  /** The button on the page of the confirmation. */
  readonly confirm: string
  /** Between the two ways to sign in. */
  readonly or: string
}

export const english: PasskeyTexts = {
  title: "Passkeys",
  lead: "A passkey signs you in with your fingerprint, your face or the PIN of your device. No other site can ask for it, and there is nothing to remember.",
  manage: "Manage passkeys",
  existing: "Your passkeys",
  none: "You have no passkeys.",
  created: "created",
  lastUsed: "last used",
  neverUsed: "never used",
  synced: "synced",
  rename: "Rename",
  saveName: "Save name",
  renamed: "The passkey has a new name.",
  remove: "Remove",
  removed: "That passkey was removed. Delete it on your device too.",
  create: "New passkey",
  name: "Name",
  nameHint: "By which you will know it, such as the device it is on.",
  button: "Create passkey",
  done: "Your passkey is ready. You can sign in with it from now on.",
  tooMany: (limit) => `You have ${limit} passkeys. Remove one that is no longer used.`,
  unverified: "Verify your e-mail address first. Then you can create a passkey.",
  unsupported: "Passkeys need scripts and a browser that supports them. You can still sign in with your password.",
  failed: "No passkey was used. Try again, or use another device.",
  known: "This device has a passkey of your account already.",
  refused: "That passkey was not accepted. Try again.",
  signIn: "Sign in with a passkey",
  confirm: "Confirm with a passkey",
  or: "or"
}
