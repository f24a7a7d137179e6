// The texts of authentication: its pages, forms and messages. A program replaces some, a language all of them.
import { Context } from "effect"
import type { Catalogue } from "../http/Languages.ts"
import { type ActivityTexts, english as activity } from "./internal/ActivityTexts.ts"
import { english as methods, type MethodTexts } from "./internal/MethodTexts.ts"
import { english as providers, type ProviderTexts } from "./internal/providers/ProviderTexts.ts"
import { english as passkeys, type PasskeyTexts } from "./internal/passkeys/PasskeyTexts.ts"

export type { ActivityTexts, MethodTexts, PasskeyTexts, ProviderTexts }

const texts = {
  fields: {
    email: "E-mail",
    password: "Password",
    currentPassword: "Current password",
    newPassword: "New password",
    /** The label of the repeated password. */
    again: (label: string) => `${label}, once more`,
    passwordHint: (minCharacters: number) =>
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
    /** The link to the sign-in page. */
    again: "Sign in again"
  },
  factorRecovery: {
    /** The link on the page of the second step. */
    link: "I have lost my second factors",
    title: "Lost second factors",
    lead: (delay: string) =>
      `If you have neither your authenticator app nor a recovery code, we can remove both from your account. We notify your e-mail address now, and send a link to it after ${delay}. Signing in with a second factor cancels this.`,
    /** In place of it for an account whose address is not verified. */
    unverified:
      "The e-mail address of your account is not verified, so we cannot remove your second factors. Ask the operator of this site.",
    button: "Send me the link",
    /** The button of a recovery whose link was sent. */
    again: "Send the link again",
    back: "Back to two-step verification",
    waiting: (when: string) => `We have sent you an e-mail. The link follows after ${when}.`,
    ready: "We have sent you the link. Open it, and enter your password there.",
    undelivered: "We could not send an e-mail to your address, so nothing was started. Try again later.",
    cancelTitle: "Cancel the recovery",
    cancelLead: "Your second factors stay as they are. If you did not ask for this, someone knows your password.",
    cancelButton: "Cancel the recovery",
    cancelled: "The recovery was cancelled. If you did not ask for it, choose a new password now.",
    completeTitle: "Remove your second factors",
    completeLead:
      "Your authenticator apps and recovery codes are removed, and every device is signed out. Then sign in with your password and add a new second factor.",
    /** The checkbox. */
    passkeys: "My passkeys are lost too: remove them",
    completeButton: "Remove the second factors",
    /** Above the form of an account without a usable password, and the link that sets one. */
    withoutPassword:
      "This step asks for a password, and your account has none. Choose one by e-mail first, then open this link again.",
    choosePassword: "Choose a password by e-mail",
    /** The link to the page that cancels. */
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
    /** For an account with an authenticator app. */
    leadWithCode: "You are signed in. Enter your password or a code again before this change.",
    button: "Confirm",
    /** The button beside the code. */
    buttonWithCode: "Confirm with a code",
    /** Between the ways to confirm. */
    or: "or",
    required: "Confirm that it is you to continue.",
    done: "Confirmed.",
    /** For an account without a usable password. */
    leadWithoutPassword: "You are signed in. Confirm with one of your ways to sign in before this change.",
    /** For an account that has nothing to confirm with. */
    leadWithNothing:
      "You are signed in. Your account has no password, passkey or authenticator app to confirm this change with: sign in again, and make it within a few minutes.",
    /** The button that signs out, to sign in again. */
    signInAgain: "Sign out and sign in again"
  },
  emailChange: {
    title: "Change e-mail address",
    lead: (email: string) =>
      `Your account has the address ${email}. It stays until you open the link that we send to the new one.`,
    field: "New e-mail address",
    button: "Send the link",
    same: "Your account already has this address.",
    sent: (email: string) => `We sent a message to ${email}. Open its link to change your address.`,
    /** Says that a change waits for its link. */
    pending: (email: string) => `A change to ${email} waits for the link in our message.`,
    cancel: "Cancel this change",
    cancelled: "The change was cancelled. Your e-mail address is unchanged.",
    /** The link on the account page. */
    manage: "Change e-mail address",
    linkTitle: "Confirm your new e-mail address",
    linkLead: (email: string) => `Your account will have the address ${email}. We will notify the old address.`,
    linkButton: "Use this address",
    done: "Your e-mail address is changed.",
    expired: "This link is invalid or has expired. Your e-mail address is unchanged.",
    /** The address has another account by now. */
    taken: "This e-mail is already registered."
  },
  emailUndo: {
    linkTitle: "Undo the change of your e-mail address",
    linkLead: (email: string) =>
      `Your account gets back the address ${email}. All devices are signed out, and we send you a link to choose a new password.`,
    linkButton: "Undo the change",
    done: "Your e-mail address is restored. We sent you a link to choose a new password.",
    expired: "This link is invalid or has expired.",
    /** The address has another account by now. */
    taken: "Another account now uses this address."
  },
  deletion: {
    title: "Delete your account",
    lead: (days: string) =>
      `Your account and what it stores are deleted after ${days}. All devices are signed out now. Until then you can sign in and keep it.`,
    button: "Delete my account",
    /** On the account page, above the link. */
    summary: "Your account and everything that is stored with it. For some time you can change your mind.",
    /** The link on the account page. */
    manage: "Delete account",
    requested: (day: string) => `Your account will be deleted on ${day}. Sign in before then to keep it.`,
    pending: (day: string) => `This account will be deleted on ${day}.`,
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
    /** The link on the account page. */
    manage: "Manage API tokens",
    existing: "Your tokens",
    none: "You have no API tokens.",
    /** Before a time, such as `created 2 hours ago`. */
    created: "created",
    lastUsed: "last used",
    neverUsed: "never used",
    /** Before a day, such as `expires January 5, 2026`. */
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
    tooMany: (limit: number) => `You have ${limit} tokens. Revoke one that is no longer used.`,
    /** The checkbox of the form that changes the password. */
    keepAll: "Keep my API tokens: programs that use them go on"
  },
  factors: {
    title: "Second factor",
    /** For an account that has to have one. */
    required: "Your account needs a second factor: add an authenticator app or a passkey to continue.",
    lead: "After your password you are asked for a code that only your device knows. A stolen password alone is then not enough.",
    /** The link on the account page. */
    manage: "Manage second factors",
    apps: "Authenticator apps",
    none: "You have no authenticator app. Your password alone signs you in.",
    /** Before a time, such as `added 2 hours ago`. */
    added: "added",
    lastUsed: "last used",
    remove: "Remove",
    removed: "That app was removed.",
    add: "Add an authenticator app",
    addLead: "Scan the picture with an authenticator app, or type the key into it. Then enter the code that it shows.",
    /** Describes the picture to a screen reader. */
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
    tooMany: (limit: number) => `You have ${limit} authenticator apps. Remove one that is no longer used.`,
    recoveryCodes: "Recovery codes",
    recoveryLead: "Each of them signs you in once when your device is lost, after your password.",
    recoveryLeft: (left: number, total: number) => `${left} of ${total} are left.`,
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
    /** Before the time, such as `2 hours ago`. */
    lastSeen: "last seen",
    signedIn: "signed in",
    trusted: "trusted",
    unknownDevice: "Unknown device",
    browserOn: (browser: string, system: string) => `${browser} on ${system}`,
    /** Distinguishes buttons of the same name for screen readers. */
    deviceAt: (device: string, address: string) => `${device} at ${address}`
  },
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
export interface Texts extends Catalogue<typeof texts> {
  /** The ways in. */
  readonly methods: MethodTexts
  readonly passkeys: PasskeyTexts
  readonly providers: ProviderTexts
  readonly activity: ActivityTexts
}

/** The default texts. */
export const english: Texts = { ...texts, methods, passkeys, providers, activity }

/** The texts of authentication; English unless the program or the language of the request replaces them. */
export class AuthTexts extends Context.Reference<AuthTexts>()("effect-framework/auth/AuthTexts", {
  defaultValue: () => english
}) {}
