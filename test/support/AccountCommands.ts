// What a person does with an account, as requests to its pages and to its API.

export const kinds = [
  "signUp",
  "signIn",
  "signOut",
  "me",
  "verify",
  "resend",
  "forgot",
  "reset",
  "change",
  "endSession",
  "forgetDevice",
  "endOthers",
  "createToken",
  "revokeToken",
  "everywhere",
  "changeEmail",
  "pendingEmail",
  "cancelEmail",
  "redeemEmail",
  "undoEmail",
  "requestDeletion",
  "cancelDeletion",
  "exported",
  "beginApp",
  "addApp",
  "renewCodes",
  "everyDevice",
  "csrf",
  "factor",
  "confirm",
  "recovery",
  "askRecovery",
  "cancelRecovery",
  "completeRecovery",
  "passkeyOptions",
  "addPasskey",
  /** The session cookie is lost, as when a browser is closed. */
  "close"
] as const

/** What a person does in one of their browsers. Each kind uses some of the rest. */
export interface Command {
  readonly kind: (typeof kinds)[number]
  readonly client: number
  /** Who has an account already, or not; the third is refused by the program at sign-in. */
  readonly person: number
  readonly password: string
  readonly current: string
  readonly remember: boolean
  /** Which link or which line of a list, counted from the last. */
  readonly place: number
  /** How long it takes until then. */
  readonly seconds: number
}

type Sent = readonly [method: string, path: string, json?: unknown]

export type Requests = Readonly<
  Record<Exclude<Command["kind"], "close">, (given: Command, email: string, found: string) => Sent>
>

// The password is also the name: one in seven is empty.
const wanted = ({ current, password, place }: Command) => ({
  name: password,
  current,
  ...(place > 0 && { days: 15 * place })
})

const scopesOf = ({ remember, seconds }: Command) => [
  "notes:read",
  ...(remember ? ["notes:write"] : []),
  ...(seconds === 1 ? ["admin"] : [])
]

/** The address that a person wants: one of two, or that of the first person. */
export const newAddress = ({ place }: Command, email: string) =>
  place === 2 ? email.replace(/-\d-/, "-0-") : `new-${place}.${email}`

/** An enrolment that was begun, with a code of its app; or none. */
const newApp = ({ password }: Command, found: string) => {
  const [enrolment = "", code = ""] = found.split(" ")
  return { name: password, enrolment, code }
}

const proof = ({ current, place }: Command, code: string) => (place === 0 ? { current } : { code })

const noPasskey = ({ password }: Command) => ({ name: password, credential: "{}" })

/** Through the pages. */
export const pages: Requests = {
  signUp: ({ password }, email) => ["POST", "/register", { email, password }],
  signIn: ({ password, remember }, email) => [
    "POST",
    "/login",
    { email, password, ...(remember && { remember: "on" }) }
  ],
  signOut: () => ["POST", "/logout"],
  me: () => ["GET", "/account"],
  verify: (_, _email, link) => ["GET", `/verify/${link}`],
  resend: () => ["POST", "/verify"],
  forgot: (_, email) => ["POST", "/forgot", { email }],
  reset: ({ password }, _, link) => ["POST", `/reset/${link}`, { password }],
  change: ({ current, password, remember }) => [
    "POST",
    "/password",
    { current, password, ...(remember && { keep_tokens: "1" }) }
  ],
  endSession: (_, _email, handle) => ["POST", "/account/sessions", { handle }],
  forgetDevice: (_, _email, selector) => ["POST", "/account/devices", { selector }],
  endOthers: () => ["POST", "/account/others"],
  createToken: (given) => ["POST", "/account/tokens", { ...wanted(given), scopes: scopesOf(given).join(" ") }],
  revokeToken: (_, _email, handle) => ["POST", "/account/tokens/revoke", { handle }],
  everywhere: () => ["POST", "/account/everywhere"],
  changeEmail: (given, email) => ["POST", "/account/email", { email: newAddress(given, email) }],
  pendingEmail: () => ["GET", "/account/email"],
  cancelEmail: () => ["POST", "/account/email/cancel"],
  redeemEmail: (_, _email, link) => ["POST", `/account/email/${link}`],
  undoEmail: (_, _email, link) => ["POST", `/account/email/undo/${link}`],
  requestDeletion: () => ["POST", "/account/delete"],
  cancelDeletion: () => ["POST", "/account/delete/cancel"],
  exported: () => ["GET", "/account/export"],
  beginApp: () => ["GET", "/account/factors/new"],
  addApp: (given, _email, found) => ["POST", "/account/factors", newApp(given, found)],
  renewCodes: () => ["POST", "/account/factors/recovery-codes"],
  everyDevice: ({ remember }) => ["POST", "/account/factors/every-device", remember ? { every_device: "1" } : {}],
  csrf: () => ["GET", "/csrf"],
  factor: (_, _email, code) => ["POST", "/login/factor", { code }],
  confirm: (given, _email, code) => ["POST", "/confirm", proof(given, code)],
  recovery: () => ["GET", "/login/factor/recovery"],
  askRecovery: () => ["POST", "/login/factor/recovery"],
  cancelRecovery: (_, _email, link) => ["POST", `/login/factor/recovery/cancel/${link}`],
  completeRecovery: ({ current, remember }, _, link) => [
    "POST",
    `/login/factor/recovery/${link}`,
    { password: current, ...(remember && { passkeys: "1" }) }
  ],
  passkeyOptions: () => ["POST", "/account/passkeys/options"],
  addPasskey: (given) => ["POST", "/account/passkeys", noPasskey(given)]
}

/** Through the API. */
export const api: Requests = {
  signUp: ({ password }, email) => ["POST", "/api/sign-up", { email, password }],
  signIn: ({ password, remember }, email) => ["POST", "/api/sign-in", { email, password, remember }],
  signOut: () => ["POST", "/api/sign-out"],
  me: () => ["GET", "/api/me"],
  verify: (_, _email, token) => ["POST", "/api/verification/redeem", { token }],
  resend: () => ["POST", "/api/verification"],
  forgot: (_, email) => ["POST", "/api/password/forgot", { email }],
  reset: ({ password }, _, token) => ["POST", "/api/password/reset", { token, password }],
  change: ({ current, password, remember }) => ["PUT", "/api/password", { current, password, keep_tokens: remember }],
  endSession: (_, _email, handle) => ["DELETE", `/api/sessions/${handle}`],
  forgetDevice: (_, _email, selector) => ["DELETE", `/api/devices/${selector}`],
  endOthers: () => ["DELETE", "/api/sessions"],
  createToken: (given) => ["POST", "/api/tokens", { ...wanted(given), scopes: scopesOf(given) }],
  revokeToken: (_, _email, handle) => ["DELETE", `/api/tokens/${handle}`],
  everywhere: () => ["POST", "/api/sign-out/everywhere"],
  changeEmail: (given, email) => ["POST", "/api/email", { email: newAddress(given, email) }],
  pendingEmail: () => ["GET", "/api/email"],
  cancelEmail: () => ["DELETE", "/api/email"],
  redeemEmail: (_, _email, token) => ["POST", "/api/email/redeem", { token }],
  undoEmail: (_, _email, token) => ["POST", "/api/email/undo", { token }],
  requestDeletion: () => ["POST", "/api/deletion"],
  cancelDeletion: () => ["DELETE", "/api/deletion"],
  exported: () => ["GET", "/api/export"],
  beginApp: () => ["POST", "/api/factors/enrolment"],
  addApp: (given, _email, found) => ["POST", "/api/factors", newApp(given, found)],
  renewCodes: () => ["POST", "/api/factors/recovery-codes"],
  everyDevice: ({ remember }) => ["PUT", "/api/factors/every-device", { every_device: remember }],
  csrf: () => ["GET", "/api/csrf"],
  factor: (_, _email, code) => ["POST", "/api/sign-in/factor", { code }],
  confirm: (given, _email, code) => ["POST", "/api/confirm", proof(given, code)],
  recovery: () => ["GET", "/api/sign-in/factor/recovery"],
  askRecovery: () => ["POST", "/api/sign-in/factor/recovery"],
  cancelRecovery: (_, _email, token) => ["POST", "/api/factor-recovery/cancel", { token }],
  completeRecovery: ({ current, remember }, _, token) => [
    "POST",
    "/api/factor-recovery/complete",
    { token, password: current, passkeys: remember }
  ],
  passkeyOptions: () => ["POST", "/api/passkeys/options"],
  addPasskey: (given) => ["POST", "/api/passkeys", noPasskey(given)]
}
