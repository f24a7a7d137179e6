// Every route of authentication, in the order of the specification.
import * as Account from "./account/Account.ts"
import * as Confirm from "./confirmation/Confirm.ts"
import * as Activity from "./activity/Activity.ts"
import * as CsrfGuard from "../session/internal/CsrfGuard.ts"
import * as Devices from "./account/Devices.ts"
import * as FactorRecoveryPages from "./lostfactors/FactorRecoveryPages.ts"
import * as FactorPages from "./factors/FactorPages.ts"
import * as DeletionPages from "./deletion/DeletionPages.ts"
import * as EmailPages from "./address/EmailPages.ts"
import * as ExportPage from "./export/ExportPage.ts"
import * as Forgot from "./password/Forgot.ts"
import * as Login from "./signin/Login.ts"
import * as LoginFactor from "./signin/LoginFactor.ts"
import * as Logout from "./signin/Logout.ts"
import * as NotMe from "./notices/NotMe.ts"
import * as PasskeyConfirm from "./passkeys/PasskeyConfirm.ts"
import * as PasskeyFactor from "./passkeys/PasskeyFactor.ts"
import * as PasskeyLogin from "./passkeys/PasskeyLogin.ts"
import * as PasskeyPages from "./passkeys/PasskeyPages.ts"
import * as PasswordChange from "./password/PasswordChange.ts"
import * as Register from "./signup/Register.ts"
import * as Reset from "./password/Reset.ts"
import * as TokenPages from "./tokens/TokenPages.ts"
import * as Verify from "./verification/Verify.ts"

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
  csrf: CsrfGuard.tokenRoutes
} as const

/** All routes; mount them with `Pipeline.pages`. */
export const routes = Object.values(pages).flat()
