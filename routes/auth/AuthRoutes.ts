// Every route of authentication, in the order of the specification.
import * as RouteOptions from "../../src/http/internal/RouteOptions.ts"
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
import * as PasswordPages from "./password/PasswordPages.ts"
import * as IdentityPage from "./providers/IdentityPage.ts"
import * as ProviderSignIn from "./providers/ProviderSignIn.ts"
import * as SignUpPage from "./signup/SignUpPage.ts"
import * as TokenPage from "./tokens/TokenPage.ts"
import * as Verification from "./verification/Verification.ts"

export type { Respondable } from "../../src/http/internal/ErrorResponse.ts"

// An account that needs a second factor reaches them without one.
const own = <const Given extends ReadonlyArray<object>>(routes: Given) =>
  routes.map((route: Given[number]) => RouteOptions.add(route, { isAccount: true }))

/** The routes by page, for a program that mounts only some of them or replaces one. */
export const pages = {
  register: own(SignUpPage.routes),
  verify: own(Verification.routes),
  login: own(SignInPage.routes),
  loginFactor: own([...FactorSignInPage.routes, ...LostFactorPages.routes]),
  logout: own(SignInPage.signOutRoutes),
  forgot: own(PasswordReset.forgotRoutes),
  reset: own(PasswordReset.resetRoutes),
  password: own(PasswordPages.routes),
  confirm: own(ConfirmationPage.routes),
  email: own(EmailChangePages.routes),
  deletion: own(DeletionPage.routes),
  exported: own(AccountExport.routes),
  account: own(AccountPage.routes),
  devices: own(AccountSessions.routes),
  tokens: own(TokenPage.routes),
  factors: own(FactorPages.routes),
  activity: own(Activity.routes),
  notMe: own(NotMePage.routes),
  passkeys: own([
    ...PasskeyPage.routes,
    ...PasskeySignIn.routes,
    ...PasskeyFactor.routes,
    ...PasskeyFactor.confirmRoutes
  ]),
  providers: own([...ProviderSignIn.routes, ...IdentityPage.routes]),
  csrf: own(CsrfGuard.tokenRoutes)
} as const

/** All routes; mount them with `Pipeline.pages`. */
export const routes = Object.values(pages).flat()
