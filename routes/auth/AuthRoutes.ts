// Every route of authentication, in the order of the specification.
import * as AccountPage from "./account/AccountPage.ts"
import * as ConfirmationPage from "./confirmation/ConfirmationPage.ts"
import * as Activity from "./activity/Activity.ts"
import * as CsrfGuard from "../session/internal/CsrfGuard.ts"
import * as AccountSessions from "./account/AccountSessions.ts"
import * as LostFactorPages from "./lostfactors/LostFactorPages.ts"
import * as FactorPages from "./factors/FactorPages.ts"
import * as DeletionPage from "./deletion/DeletionPage.ts"
import * as EmailChangePages from "./address/EmailChangePages.ts"
import * as AccountExport from "./account/AccountExport.ts"
import * as PasswordReset from "./password/PasswordReset.ts"
import * as SignInPage from "./signin/SignInPage.ts"
import * as FactorSignInPage from "./signin/FactorSignInPage.ts"
import * as NotMePage from "./notices/NotMePage.ts"
import * as PasskeyFactor from "./passkeys/PasskeyFactor.ts"
import * as PasskeySignIn from "./passkeys/PasskeySignIn.ts"
import * as PasskeyPage from "./passkeys/PasskeyPage.ts"
import * as PasswordChange from "./password/PasswordChange.ts"
import * as SignUpPage from "./signup/SignUpPage.ts"
import * as TokenPage from "./tokens/TokenPage.ts"
import * as Verification from "./verification/Verification.ts"

export type { Respondable } from "../../src/http/internal/ErrorResponse.ts"

/** The routes by page, for a program that mounts only some of them or replaces one. */
export const pages = {
  register: SignUpPage.routes,
  verify: Verification.routes,
  login: SignInPage.routes,
  loginFactor: [...FactorSignInPage.routes, ...LostFactorPages.routes],
  logout: SignInPage.signOutRoutes,
  forgot: PasswordReset.forgotRoutes,
  reset: PasswordReset.resetRoutes,
  password: PasswordChange.routes,
  confirm: ConfirmationPage.routes,
  email: EmailChangePages.routes,
  deletion: DeletionPage.routes,
  exported: AccountExport.routes,
  account: AccountPage.routes,
  devices: AccountSessions.routes,
  tokens: TokenPage.routes,
  factors: FactorPages.routes,
  activity: Activity.routes,
  notMe: NotMePage.routes,
  passkeys: [...PasskeyPage.routes, ...PasskeySignIn.routes, ...PasskeyFactor.routes, ...PasskeyFactor.confirmRoutes],
  csrf: CsrfGuard.tokenRoutes
} as const

/** All routes; mount them with `Pipeline.pages`. */
export const routes = Object.values(pages).flat()
