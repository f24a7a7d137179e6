// Sign-up, for the page and for the API: creates an account with its profile and sends the verification e-mail.
import { Effect } from "effect"
import type { AccountId, Identity } from "../../../src/session/Identity.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import { Users } from "../../../src/auth/Users.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import * as Throttle from "../../session/Throttle.ts"
import * as AccountEvents from "../internal/AccountEvents.ts"
import * as ChosenPassword from "../password/ChosenPassword.ts"
import * as MailedLink from "../internal/MailedLink.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import * as SignUpForm from "./SignUpForm.ts"

const limited = Throttle.limited(AuthRateLimits.rules.register)

/** What a new account gives to the client: a session of its kind. */
type Grant<A, R> = (identity: Identity) => Effect.Effect<A, never, R>

const welcome = Effect.fnUntraced(function* (identity: Identity) {
  const afterResponse = yield* AfterResponse
  yield* afterResponse.run(MailedLink.post("verification", identity))
  yield* AccountEvents.afterwards("signUp", identity)
})

const create = Effect.fnUntraced(function* <A, R>(form: SignUpForm.SignUp, grant: Grant<A, R>) {
  const { email, emailTaken, enrolment, password, profileTaken, refuse } = form
  const users = yield* Users
  const account = (id: AccountId): Identity => ({ id, email, verified: false })
  return yield* users.enroll(email, password, yield* AccountEvents.enrolment(enrolment, account)).pipe(
    Effect.map(account),
    Effect.tap(({ id }) => SecurityLog.record(id, { _tag: "SignedUp" })),
    Effect.flatMap((identity) =>
      Effect.map(Effect.zipLeft(grant(identity), welcome(identity)), (granted) => ({ identity, granted }))
    ),
    // When the client disconnects, the account still gets its e-mail.
    Effect.uninterruptible,
    Effect.catchTag("Duplicate", () => emailTaken),
    Effect.catchTag("ProfileTaken", profileTaken),
    Effect.catchTag("HookFailed", AccountEvents.refusedForm),
    // A hook may know only some of the fields.
    Effect.catchTag("InvalidForm", ({ error, fieldErrors, status }) => refuse({ error, fieldErrors, status }))
  )
})

/** Signs up with the form in this request, limited by client. */
export const submit = <A, R>(grant: Grant<A, R>) =>
  limited(
    Effect.gen(function* () {
      const form = yield* SignUpForm.read
      const { email, password, profile } = form
      const problem = yield* ChosenPassword.problem({ email, profile }, password)
      if (problem !== undefined) return yield* form.refuse({ fieldErrors: { password: problem } })
      return { ...(yield* create(form, grant)), profile: form.profile }
    })
  )
