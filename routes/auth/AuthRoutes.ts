// Every route of authentication, in the order of the specification.
import * as Account from "./Account.ts"
import * as Confirm from "./Confirm.ts"
import * as Activity from "./Activity.ts"
import * as CsrfToken from "./CsrfToken.ts"
import * as Devices from "./Devices.ts"
import * as FactorRecoveryPages from "./FactorRecoveryPages.ts"
import * as FactorPages from "./FactorPages.ts"
import * as DeletionPages from "./DeletionPages.ts"
import * as EmailPages from "./EmailPages.ts"
import * as ExportPage from "./ExportPage.ts"
import * as Forgot from "./Forgot.ts"
import * as Login from "./Login.ts"
import * as LoginFactor from "./LoginFactor.ts"
import * as Logout from "./Logout.ts"
import * as NotMe from "./NotMe.ts"
import * as PasskeyConfirm from "./PasskeyConfirm.ts"
import * as PasskeyFactor from "./PasskeyFactor.ts"
import * as PasskeyLogin from "./PasskeyLogin.ts"
import * as PasskeyPages from "./PasskeyPages.ts"
import * as PasswordChange from "./PasswordChange.ts"
import * as Register from "./Register.ts"
import * as Reset from "./Reset.ts"
import * as TokenPages from "./TokenPages.ts"
import * as Verify from "./Verify.ts"

/** The routes by page, for a program that mounts only some of them or replaces one. */
export const pages = {
  register: Register.routes,
  verify: Verify.routes,
  login: Login.routes,
  loginFactor: [...LoginFactor.routes, ...FactorRecoveryPages.routes],
  logout: Logout.routes,
  forgot: Forgot.routes,
  reset: Reset.routes,
  password: PasswordChange.routes,
  confirm: Confirm.routes,
  email: EmailPages.routes,
  deletion: DeletionPages.routes,
  exported: ExportPage.routes,
  account: Account.routes,
  devices: Devices.routes,
  tokens: TokenPages.routes,
  factors: FactorPages.routes,
  activity: Activity.routes,
  notMe: NotMe.routes,
  passkeys: [...PasskeyPages.routes, ...PasskeyLogin.routes, ...PasskeyFactor.routes, ...PasskeyConfirm.routes],
  csrf: CsrfToken.routes
} as const

/** All routes; mount them with `Pipeline.pages`. */
export const routes = Object.values(pages).flat()
