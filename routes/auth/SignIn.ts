// The one way to sign in: whatever has proved who a person is, their session begins here.
import { Effect, Redacted, Schema } from "effect"
import type { Identity } from "../../src/session/Identity.ts"
import * as InvalidPage from "../session/internal/InvalidPage.ts"
import * as Respond from "../session/Respond.ts"
import * as AccountEvents from "./internal/AccountEvents.ts"
import * as Completion from "./signin/Completion.ts"
import * as SignInPage from "./signin/SignInPage.ts"
import * as SignInSteps from "./signin/SignInSteps.ts"

/** How the account was proved, and what the person wants. */
export interface Options {
  /** What the account's activity calls it: `an invitation`, `the company's directory`. */
  readonly by: string
  /** Whether the device stays signed in. */
  readonly remember?: boolean
}

const Nothing = Schema.Struct({})

/**
 * Signs in an account that a handler of the program has proved by means of its own, as the pages of the framework do: an account
 * with a second factor is asked for it first, the hooks run, the event is recorded and told, and the browser is led to the
 * page that it wanted. Prove the account in a POST: its CSRF check sees a revocation that happens meanwhile.
 *
 * @example
 * ```ts
 * import { Effect, Option } from "effect"
 * import { Users } from "effect-framework/auth"
 * import { SignIn } from "effect-framework/routes/auth"
 *
 * export const enter = Effect.fn("Invitation.enter")(function* (email: string) {
 *   const user = yield* Effect.flatMap(Users.Users, (users) => users.fetch(email))
 *   return yield* SignIn.complete(Option.getOrThrow(user), { by: "an invitation" })
 * })
 * ```
 */
export const complete = Effect.fn("SignIn.complete")(
  function* (user: Identity, { by, remember = false }: Options) {
    return yield* Completion.inBrowser(user, { by, remember })
  },
  // A hook has refused the account: its message is above the form of the sign-in page.
  Effect.catchTag("InvalidForm", (invalid) => InvalidPage.render(invalid, SignInPage.view())),
  Effect.catchTag("HookFailed", AccountEvents.refused)
)

/** The same for a client without cookies: responds with the secret of its session, or with 202 and a pending sign-in. */
export const completeBearer = Effect.fn("SignIn.completeBearer")(
  function* (user: Identity, { by }: Pick<Options, "by">) {
    const outcome = yield* SignInSteps.complete(Nothing, user, { by, remember: false }, SignInSteps.byBearer)
    if (outcome._tag === "Pending") {
      const pending = Redacted.value(outcome.token.value)
      return Respond.json({ factors: outcome.kinds, pending }, { status: 202 })
    }
    const { expires, secret } = yield* Effect.orDie(outcome.granted)
    return Respond.json({ account: outcome.identity, bearer: { token: Redacted.value(secret), expires } })
  },
  Effect.catchTag("InvalidForm", ({ error, fieldErrors: fields, status }) =>
    Effect.succeed(Respond.json({ error, fields }, { status }))
  ),
  Effect.catchTag("HookFailed", AccountEvents.refused)
)
