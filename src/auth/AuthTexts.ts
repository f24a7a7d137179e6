// The texts of authentication: its pages, forms and messages. A program replaces some, a language all of them.
import { Context } from "effect"
import { type ActivityTexts, english as activity } from "./internal/ActivityTexts.ts"
import { english as methods, type MethodTexts } from "./internal/MethodTexts.ts"
import { english as providers, type ProviderTexts } from "./internal/providers/ProviderTexts.ts"
import { english as passkeys, type PasskeyTexts } from "./internal/passkeys/PasskeyTexts.ts"

export type { ProviderTexts } from "./internal/providers/ProviderTexts.ts"
export type { PasskeyTexts } from "./internal/passkeys/PasskeyTexts.ts"
export type { MethodTexts } from "./internal/MethodTexts.ts"
export type { ActivityTexts } from "./internal/ActivityTexts.ts"

/** The page of a mailed link, which a button redeems. */
export interface LinkPageTexts {
  readonly linkTitle: string
  readonly linkLead: (email: string) => string
  readonly linkButton: string
  readonly done: string
  readonly expired: string
  /** The address has another account by now. */
  readonly taken: string
}

/**
 * Every text of the pages and responses of authentication.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { AuthTexts } from "effect-framework/auth"
 *
 * const texts: AuthTexts.Texts = {
 *   ...AuthTexts.english,
 *   login: { ...AuthTexts.english.login, done: "The kettle is on!" }
 * }
 *
 * export const layer = Layer.succeed(AuthTexts.AuthTexts, texts)
 * ```
 */
export interface Texts {
  readonly fields: {
    readonly email: string
    readonly password: string
    readonly currentPassword: string
    readonly newPassword: string
    /** The label of the repeated password. */
    readonly again: (label: string) => string
    readonly passwordHint: (minCharacters: number) => string
    readonly remember: string
  }
  readonly login: {
    readonly title: string
    readonly button: string
    readonly forgot: string
    readonly noAccount: string
    readonly signUp: string
    readonly required: string
    readonly toVerify: string
    readonly refused: string
    readonly done: string
    readonly signedOut: string
  }
  readonly loginFactor: {
    readonly title: string
    readonly lead: string
    readonly code: string
    readonly codeHint: string
    readonly button: string
    readonly wrong: string
    readonly startOver: string
    /** The link to the sign-in page. */
    readonly again: string
  }
  readonly factorRecovery: {
    /** The link on the page of the second step. */
    readonly link: string
    readonly title: string
    readonly lead: (delay: string) => string
    /** In place of it for an account whose address is not verified. */
    readonly unverified: string
    readonly button: string
    /** The button of a recovery whose link was sent. */
    readonly again: string
    readonly back: string
    readonly waiting: (when: string) => string
    readonly ready: string
    readonly undelivered: string
    readonly cancelTitle: string
    readonly cancelLead: string
    readonly cancelButton: string
    readonly cancelled: string
    readonly completeTitle: string
    readonly completeLead: string
    /** The checkbox. */
    readonly passkeys: string
    readonly completeButton: string
    /** Above the form of an account without a usable password, and the link that sets one. */
    readonly withoutPassword: string
    readonly choosePassword: string
    /** The link to the page that cancels. */
    readonly notMe: string
    readonly done: string
    readonly expired: string
  }
  readonly register: {
    readonly title: string
    readonly button: string
    readonly haveAccount: string
    readonly signIn: string
    readonly done: string
  }
  readonly forgot: {
    readonly title: string
    readonly lead: string
    readonly button: string
    readonly back: string
    readonly done: string
  }
  readonly reset: {
    readonly title: string
    readonly lead: string
    readonly button: string
    readonly done: string
    readonly expired: string
  }
  readonly verify: {
    readonly done: string
    readonly expired: string
    readonly already: string
    readonly sent: string
  }
  readonly password: {
    readonly title: string
    readonly lead: string
    readonly button: string
    readonly back: string
    readonly done: string
  }
  readonly confirm: {
    readonly title: string
    readonly lead: string
    /** For an account with an authenticator app. */
    readonly leadWithCode: string
    readonly button: string
    /** The button beside the code. */
    readonly buttonWithCode: string
    /** Between the ways to confirm. */
    readonly or: string
    readonly required: string
    readonly done: string
    /** For an account without a usable password. */
    readonly leadWithoutPassword: string
    /** For an account that has nothing to confirm with. */
    readonly leadWithNothing: string
    /** The button that signs out, to sign in again. */
    readonly signInAgain: string
  }
  /** The ways in. */
  readonly methods: MethodTexts
  readonly emailChange: LinkPageTexts & {
    readonly title: string
    readonly lead: (email: string) => string
    readonly field: string
    readonly button: string
    readonly same: string
    readonly sent: (email: string) => string
    /** Says that a change waits for its link. */
    readonly pending: (email: string) => string
    readonly cancel: string
    readonly cancelled: string
    /** The link on the account page. */
    readonly manage: string
  }
  readonly emailUndo: LinkPageTexts
  readonly deletion: {
    readonly title: string
    readonly lead: (days: string) => string
    readonly button: string
    /** On the account page, above the link. */
    readonly summary: string
    /** The link on the account page. */
    readonly manage: string
    readonly requested: (day: string) => string
    readonly pending: (day: string) => string
    readonly keep: string
    readonly kept: string
  }
  readonly exported: {
    readonly title: string
    readonly lead: string
    readonly button: string
  }
  readonly account: {
    readonly title: string
    readonly profile: string
    readonly email: string
    readonly verified: string
    readonly unverified: string
    readonly confirm: string
    readonly resend: string
    readonly password: string
    readonly changePassword: string
    readonly sessions: string
    readonly devices: string
    readonly devicesLead: string
    readonly signOut: string
    readonly forget: string
    readonly signOutOthers: string
    readonly signOutEverywhere: string
    readonly sessionEnded: string
    readonly deviceForgotten: string
    readonly othersEnded: string
    readonly everywhereEnded: string
  }
  readonly tokens: {
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
    /** Before a day, such as `expires January 5, 2026`. */
    readonly expires: string
    readonly revoke: string
    readonly revoked: string
    readonly create: string
    readonly name: string
    readonly nameHint: string
    readonly scopes: string
    readonly lifetime: string
    readonly button: string
    readonly done: string
    readonly doneHint: string
    readonly secret: string
    readonly tooMany: (limit: number) => string
    /** The checkbox of the form that changes the password. */
    readonly keepAll: string
  }
  readonly passkeys: PasskeyTexts
  readonly providers: ProviderTexts
  readonly factors: {
    readonly title: string
    /** For an account that has to have one. */
    readonly required: string
    readonly lead: string
    /** The link on the account page. */
    readonly manage: string
    readonly apps: string
    readonly none: string
    /** Before a time, such as `added 2 hours ago`. */
    readonly added: string
    readonly lastUsed: string
    readonly remove: string
    readonly removed: string
    readonly add: string
    readonly addLead: string
    /** Describes the picture to a screen reader. */
    readonly picture: string
    readonly secret: string
    readonly secretHint: string
    readonly name: string
    readonly nameHint: string
    readonly code: string
    readonly codeHint: string
    readonly button: string
    readonly done: string
    readonly expired: string
    readonly tooMany: (limit: number) => string
    readonly recoveryCodes: string
    readonly recoveryLead: string
    readonly recoveryLeft: (left: number, total: number) => string
    readonly renew: string
    readonly newCodes: string
    readonly newCodesHint: string
    readonly back: string
    readonly devices: string
    readonly everyDevice: string
    readonly everyDeviceHint: string
    readonly save: string
    readonly saved: string
  }
  readonly lastSeen: {
    readonly own: string
    readonly activeNow: string
    readonly justNow: string
    /** Before the time, such as `2 hours ago`. */
    readonly lastSeen: string
    readonly signedIn: string
    readonly trusted: string
    readonly unknownDevice: string
    readonly browserOn: (browser: string, system: string) => string
    /** Distinguishes buttons of the same name for screen readers. */
    readonly deviceAt: (device: string, address: string) => string
  }
  readonly activity: ActivityTexts
  readonly notMe: {
    readonly title: string
    readonly lead: string
    readonly button: string
    readonly hint: string
    readonly done: string
    readonly expired: string
  }
}

/** The default texts. */
export const english: Texts = {
  fields: {
    email: "E-mail",
    password: "Password",
    currentPassword: "Current password",
    newPassword: "New password",
    again: (label) => `${label}, once more`,
    passwordHint: (minCharacters) =>
      `At least ${minCharacters} characters. A few unusual words are easier to keep than symbols.`,
    remember: "Keep me signed in on this device"
  },
  login: {
    title: "Sign in",
    button: "Sign in",
    forgot: "Forgot your password?",
    noAccount: "No account yet?",
    signUp: "Sign up",
    required: "Sign in to continue.",
    toVerify: "Sign in to verify your e-mail.",
    refused: "Invalid credentials.",
    done: "Welcome back!",
    signedOut: "Signed out."
  },
  loginFactor: {
    title: "Two-step verification",
    lead: "Enter the code from your authenticator app.",
    code: "Code",
    codeHint: "The six digits that your authenticator app shows, or one of your recovery codes.",
    button: "Continue",
    wrong: "This code is wrong or was used already.",
    startOver: "Sign in again: the two-step verification took too long or had too many attempts.",
    again: "Sign in again"
  },
  factorRecovery: {
    link: "I have lost my second factors",
    title: "Lost second factors",
    lead: (delay) =>
      `If you have neither your authenticator app nor a recovery code, we can remove both from your account. We notify your e-mail address now, and send a link to it after ${delay}. Signing in with a second factor cancels this.`,
    unverified:
      "The e-mail address of your account is not verified, so we cannot remove your second factors. Ask the operator of this site.",
    button: "Send me the link",
    again: "Send the link again",
    back: "Back to two-step verification",
    waiting: (when) => `We have sent you an e-mail. The link follows after ${when}.`,
    ready: "We have sent you the link. Open it, and enter your password there.",
    undelivered: "We could not send an e-mail to your address, so nothing was started. Try again later.",
    cancelTitle: "Cancel the recovery",
    cancelLead: "Your second factors stay as they are. If you did not ask for this, someone knows your password.",
    cancelButton: "Cancel the recovery",
    cancelled: "The recovery was cancelled. If you did not ask for it, choose a new password now.",
    completeTitle: "Remove your second factors",
    completeLead:
      "Your authenticator apps and recovery codes are removed, and every device is signed out. Then sign in with your password and add a new second factor.",
    passkeys: "My passkeys are lost too: remove them",
    completeButton: "Remove the second factors",
    withoutPassword:
      "This step asks for a password, and your account has none. Choose one by e-mail first, then open this link again.",
    choosePassword: "Choose a password by e-mail",
    notMe: "I did not ask for this: cancel the recovery",
    done: "Your second factors were removed. Sign in, and add a new one.",
    expired: "This link is invalid or has expired."
  },
  register: {
    title: "Sign up",
    button: "Create account",
    haveAccount: "Already have an account?",
    signIn: "Sign in",
    done: "Account created! Check your inbox for the verification link."
  },
  forgot: {
    title: "Forgot your password?",
    lead: "Enter your e-mail address. We will send you a link to choose a new password.",
    button: "Send the link",
    back: "Back to sign in",
    done: "If that e-mail exists, we sent a password reset link."
  },
  reset: {
    title: "Choose a new password",
    lead: "Every device that is signed in to your account will be signed out.",
    button: "Set the new password",
    done: "Password reset! Sign in with your new password.",
    expired: "This reset link is invalid or has expired."
  },
  verify: {
    done: "E-mail verified!",
    expired: "This verification link is invalid or has expired.",
    already: "Your e-mail is already verified.",
    sent: "Verification link sent. Check your inbox."
  },
  password: {
    title: "Change your password",
    lead: "Other devices will be signed out.",
    button: "Change password",
    back: "Back to your account",
    done: "Password changed. Other devices were signed out."
  },
  confirm: {
    title: "Confirm that it is you",
    lead: "You are signed in. Enter your password again before this change.",
    leadWithCode: "You are signed in. Enter your password or a code again before this change.",
    button: "Confirm",
    buttonWithCode: "Confirm with a code",
    or: "or",
    required: "Confirm that it is you to continue.",
    done: "Confirmed.",
    leadWithoutPassword: "You are signed in. Confirm with one of your ways to sign in before this change.",
    leadWithNothing:
      "You are signed in. Your account has no password, passkey or authenticator app to confirm this change with: sign in again, and make it within a few minutes.",
    signInAgain: "Sign out and sign in again"
  },
  methods,
  emailChange: {
    title: "Change e-mail address",
    lead: (email) =>
      `Your account has the address ${email}. It stays until you open the link that we send to the new one.`,
    field: "New e-mail address",
    button: "Send the link",
    same: "Your account already has this address.",
    sent: (email) => `We sent a message to ${email}. Open its link to change your address.`,
    pending: (email) => `A change to ${email} waits for the link in our message.`,
    cancel: "Cancel this change",
    cancelled: "The change was cancelled. Your e-mail address is unchanged.",
    manage: "Change e-mail address",
    linkTitle: "Confirm your new e-mail address",
    linkLead: (email) => `Your account will have the address ${email}. We will notify the old address.`,
    linkButton: "Use this address",
    done: "Your e-mail address is changed.",
    expired: "This link is invalid or has expired. Your e-mail address is unchanged.",
    taken: "This e-mail is already registered."
  },
  emailUndo: {
    linkTitle: "Undo the change of your e-mail address",
    linkLead: (email) =>
      `Your account gets back the address ${email}. All devices are signed out, and we send you a link to choose a new password.`,
    linkButton: "Undo the change",
    done: "Your e-mail address is restored. We sent you a link to choose a new password.",
    expired: "This link is invalid or has expired.",
    taken: "Another account now uses this address."
  },
  deletion: {
    title: "Delete your account",
    lead: (days) =>
      `Your account and what it stores are deleted after ${days}. All devices are signed out now. Until then you can sign in and keep it.`,
    button: "Delete my account",
    summary: "Your account and everything that is stored with it. For some time you can change your mind.",
    manage: "Delete account",
    requested: (day) => `Your account will be deleted on ${day}. Sign in before then to keep it.`,
    pending: (day) => `This account will be deleted on ${day}.`,
    keep: "Keep my account",
    kept: "Your account is kept."
  },
  exported: {
    title: "Your data",
    lead: "Everything that is stored with your account, as a file.",
    button: "Download my data"
  },
  account: {
    title: "Your account",
    profile: "Profile",
    email: "E-mail",
    verified: "verified",
    unverified: "verification pending",
    confirm: "We sent you a link to verify that this address is yours.",
    resend: "Resend verification link",
    password: "Password",
    changePassword: "Change password",
    sessions: "Signed in",
    devices: "Trusted devices",
    devicesLead: "These devices sign in without a password. A device that you remove has to sign in again.",
    signOut: "Sign out",
    forget: "Forget",
    signOutOthers: "Sign out all other devices",
    signOutEverywhere: "Sign out everywhere",
    sessionEnded: "That session was signed out.",
    deviceForgotten: "That device has to sign in again.",
    othersEnded: "All other devices were signed out.",
    everywhereEnded: "You are signed out on every device."
  },
  tokens: {
    title: "API tokens",
    lead: "A token lets a program act for you, within the scopes that you choose. Treat it like a password.",
    manage: "Manage API tokens",
    existing: "Your tokens",
    none: "You have no API tokens.",
    created: "created",
    lastUsed: "last used",
    neverUsed: "never used",
    expires: "expires",
    revoke: "Revoke",
    revoked: "That token was revoked.",
    create: "New token",
    name: "Name",
    nameHint: "What is it for? For example: nightly backup.",
    scopes: "What it may do",
    lifetime: "Expires after",
    button: "Create token",
    done: "Your new token",
    doneHint: "Copy it now. It is shown only this once.",
    secret: "Token",
    tooMany: (limit) => `You have ${limit} tokens. Revoke one that is no longer used.`,
    keepAll: "Keep my API tokens: programs that use them go on"
  },
  passkeys,
  providers,
  factors: {
    title: "Second factor",
    required: "Your account needs a second factor: add an authenticator app or a passkey to continue.",
    lead: "After your password you are asked for a code that only your device knows. A stolen password alone is then not enough.",
    manage: "Manage second factors",
    apps: "Authenticator apps",
    none: "You have no authenticator app. Your password alone signs you in.",
    added: "added",
    lastUsed: "last used",
    remove: "Remove",
    removed: "That app was removed.",
    add: "Add an authenticator app",
    addLead: "Scan the picture with an authenticator app, or type the key into it. Then enter the code that it shows.",
    picture: "QR code with the key of your account",
    secret: "Key",
    secretHint: "For an app that cannot scan: a key based on time.",
    name: "Name",
    nameHint: "Where is the app? For example: my phone.",
    code: "Code",
    codeHint: "The six digits that the app shows now.",
    button: "Add this app",
    done: "From now on you are asked for a code after your password.",
    expired: "This page is too old or was sent already. Scan the new picture.",
    tooMany: (limit) => `You have ${limit} authenticator apps. Remove one that is no longer used.`,
    recoveryCodes: "Recovery codes",
    recoveryLead: "Each of them signs you in once when your device is lost, after your password.",
    recoveryLeft: (left, total) => `${left} of ${total} are left.`,
    renew: "Make new recovery codes",
    newCodes: "Your recovery codes",
    newCodesHint: "Print them or write them down now. They are shown only this once, and older ones no longer work.",
    back: "Back to second factors",
    devices: "Trusted devices",
    everyDevice: "Ask for a code on trusted devices too",
    everyDeviceHint: "Otherwise a device on which you stay signed in counts as proof.",
    save: "Save",
    saved: "Your choice was saved."
  },
  lastSeen: {
    own: "this one",
    activeNow: "active now",
    justNow: "just now",
    lastSeen: "last seen",
    signedIn: "signed in",
    trusted: "trusted",
    unknownDevice: "Unknown device",
    browserOn: (browser, system) => `${browser} on ${system}`,
    deviceAt: (device, address) => `${device} at ${address}`
  },
  activity,
  notMe: {
    title: "Was this not you?",
    lead: "We sign out every device and program, disable your password, and send you a link to choose a new one.",
    button: "This was not me",
    hint: "If it was you, close this page: nothing has changed.",
    done: "Every device was signed out. Check your inbox for the link to choose a new password.",
    expired:
      "This link is invalid, was used, or has been replaced by that of a newer message. You can ask for a new password here."
  }
}

/** The texts of authentication; English unless the program or the language of the request replaces them. */
export class AuthTexts extends Context.Reference<AuthTexts>()("effect-framework/auth/AuthTexts", {
  defaultValue: () => english
}) {}
