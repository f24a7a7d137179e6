// How every sign-in in a browser ends, whatever has proved the account: a session, or the page of the second factor.
import { Effect, Schema } from "effect"
import type { Identity } from "../../../src/session/Identity.ts"
import * as NoStore from "../../http/internal/NoStore.ts"
import { loginFactor } from "../internal/AuthPaths.ts"
import * as PendingSession from "./PendingSession.ts"
import * as SignInPage from "./SignInPage.ts"
import * as SignInSteps from "./SignInSteps.ts"

/** How the account was proved, and what the person wants. */
interface Options {
  readonly by: string
  readonly remember: boolean
  /** The handle of the linked identity that has proved it: what it begins ends with it. */
  readonly via?: string
  /** The id of the provider of that identity. */
  readonly provider?: string
  /** Epoch seconds at which the person has proved who they are; now unless stated. */
  readonly provedAt?: number | undefined
  /** Whether the proof included a second factor that counts. */
  readonly hasSecondFactor?: boolean
}

const Nothing = Schema.Struct({})

/** Signs the account in on the browser of this request. Fails where a hook refuses it, or its password is locked. */
export const inBrowser = Effect.fnUntraced(function* (user: Identity, given: Options) {
  const means = { hasSecondFactor: false, ...given }
  const outcome = yield* SignInSteps.complete(Nothing, user, means, SignInSteps.inBrowser)
  if (outcome._tag === "Pending") {
    yield* PendingSession.keep(outcome.token)
    return NoStore.seeOther(loginFactor)
  }
  return yield* SignInPage.proceed(outcome.granted)
})
