// Every route of authentication, in the order of the specification.
import * as Account from "./Account.ts"
import * as CsrfToken from "./CsrfToken.ts"
import * as Devices from "./Devices.ts"
import * as Forgot from "./Forgot.ts"
import * as Login from "./Login.ts"
import * as Logout from "./Logout.ts"
import * as PasswordChange from "./PasswordChange.ts"
import * as Register from "./Register.ts"
import * as Reset from "./Reset.ts"
import * as Verify from "./Verify.ts"

/** All routes; mount them with `Pipeline.pages`. */
export const routes = [
  ...Register.routes,
  ...Verify.routes,
  ...Login.routes,
  ...Logout.routes,
  ...Forgot.routes,
  ...Reset.routes,
  ...PasswordChange.routes,
  ...Account.routes,
  ...Devices.routes,
  ...CsrfToken.routes
]
