// The paths of the routes that others link or redirect to.

/** The account page: where a signed-in user is redirected to. */
export const home = "/account"

/** The page of API tokens. */
export const tokens = "/account/tokens"

/** Leads to that page after a confirmation, for an account without a password. */
export const newToken = "/account/tokens/new"

/** Where the form that revokes an API token is sent. */
export const revokeToken = "/account/tokens/revoke"

/** Where the e-mail is changed; a link has the token after it. */
export const emailChange = "/account/email"

/** Where a change of the e-mail is cancelled before it is made. */
export const emailCancel = "/account/email/cancel"

/** Where a change of the e-mail is undone; a link has the token after it. */
export const emailUndo = "/account/email/undo"

/** Where an account is deleted. */
export const deletion = "/account/delete"

/** Where a deletion is cancelled. */
export const keepAccount = "/account/delete/cancel"

/** The download of what is stored. */
export const exported = "/account/export"

/** Where a signed-in user confirms who they are. */
export const confirm = "/confirm"

/** A passkey as the confirmation. */
export const passkeyConfirm = {
  options: "/confirm/passkey/options",
  verify: "/confirm/passkey"
} as const

/** The page of what happened to the account. */
export const activity = "/account/activity"

/** The page that a "this was not me" link opens. */
export const notMe = "/not-me/:selector/:verifier"

/** The page of passkeys. */
export const passkeys = "/account/passkeys"

/** Where its script and its forms send requests. */
export const passkeyForms = {
  options: "/account/passkeys/options",
  rename: "/account/passkeys/rename",
  remove: "/account/passkeys/remove"
} as const

/** A passkey as the second factor of a pending sign-in. */
export const passkeyFactor = {
  options: "/login/factor/passkey/options",
  verify: "/login/factor/passkey"
} as const

/** Sign-in with a passkey. */
export const passkeySignIn = {
  options: "/login/passkey/options",
  verify: "/login/passkey",
  script: "/login/passkey.js"
} as const

/** Sign-in with a provider, and its way back. */
export const providers = {
  begin: "/login/with/:provider",
  callback: "/login/with/:provider/callback",
  complete: "/login/with/:provider/complete"
} as const

/** The path of a provider of this id. */
export const withProvider = (id: string): string => `/login/with/${id}`

/** The page of linked identities, and where its forms are sent. */
export const identities = {
  list: "/account/identities",
  link: "/account/identities/link/:provider",
  remove: "/account/identities/remove"
} as const

/** A provider as the confirmation. */
export const providerConfirm = "/confirm/with/:provider"

/** The page of second factors, and where its forms are sent. */
export const factors = {
  list: "/account/factors",
  add: "/account/factors/new",
  remove: "/account/factors/remove",
  recoveryCodes: "/account/factors/recovery-codes",
  everyDevice: "/account/factors/every-device"
} as const

/** The sign-in page. */
export const signIn = "/login"

/** The second step of a sign-in. */
export const loginFactor = "/login/factor"

/** The recovery of an account whose factors are lost; a link has its token after the path. */
export const factorRecovery = {
  page: "/login/factor/recovery",
  cancel: "/login/factor/recovery/cancel"
} as const

/** Where the password is set and changed, and where it is removed. */
export const password = { page: "/password", remove: "/password/remove" } as const

/** Where a password reset starts. */
export const forgot = "/forgot"

/** Where each form of the account page is sent. */
export const signOut = {
  session: "/account/sessions",
  device: "/account/devices",
  others: "/account/others",
  everywhere: "/account/everywhere"
} as const
