// The texts of passkeys: their page, the button on the sign-in page, and what is said when one is not accepted.
import type { Catalogue } from "../../../http/Languages.ts"

/** The default texts. */
export const english = {
  title: "Passkeys",
  lead: "A passkey signs you in with your fingerprint, your face or the PIN of your device. No other site can ask for it, and there is nothing to remember.",
  /** The link on the account page. */
  manage: "Manage passkeys",
  existing: "Your passkeys",
  none: "You have no passkeys.",
  /** Before a time, such as `created 2 hours ago`. */
  created: "created",
  lastUsed: "last used",
  neverUsed: "never used",
  /** Beside a passkey that a provider keeps a copy of. */
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
  tooMany: (limit: number) => `You have ${limit} passkeys. Remove one that is no longer used.`,
  /** For an account whose address is not verified. */
  unverified: "Verify your e-mail address first. Then you can create a passkey.",
  /** In a browser without scripts or without passkeys. */
  unsupported: "Passkeys need scripts and a browser that supports them. You can still sign in with your password.",
  /** The person has cancelled, or the device has no passkey. */
  failed: "No passkey was used. Try again, or use another device.",
  /** The device has a passkey of this account already. */
  known: "This device has a passkey of your account already.",
  /** A passkey was not accepted; the same for every reason. */
  refused: "That passkey was not accepted. Try again.",
  /** The button on the sign-in page. */
  signIn: "Sign in with a passkey",
  /** The button on the page of the confirmation. */
  confirm: "Confirm with a passkey",
  /** Between the two ways to sign in. */
  or: "or"
}

/** Every text of passkeys. */
export interface PasskeyTexts extends Catalogue<typeof english> {}
