// The program's own work at sign-up, sign-in and deletion, in the transaction of the event or after its response.
import type { HttpServerRequest, HttpServerRespondable } from "@effect/platform"
import { SqlClient, type SqlError } from "@effect/sql"
import { Context, Effect, Layer, Scope } from "effect"
import { AccountHooks, type Hook, HookFailed } from "../../src/auth/internal/AccountHooks.ts"
import type { Identity } from "../../src/session/Identity.ts"
import type { Respondable } from "../../src/http/internal/ErrorResponse.ts"
import type { RequestState } from "../../src/http/internal/RequestState.ts"
import * as Transaction from "../database/internal/Transaction.ts"

export type { AccountHooks } from "../../src/auth/internal/AccountHooks.ts"

type Run<E> = (user: Identity) => Effect.Effect<unknown, E, unknown>

/** A failure with a response, or of the database. Anything else has to be handled, or is unexpected: `Effect.orDie`. */
type Refusal = HttpServerRespondable.Respondable | Respondable | SqlError.SqlError

/** When a hook runs: at one of the two times, or at both. */
interface Moments {
  /** In the transaction. A failure undoes the event, and is the response. */
  readonly inTransaction?: Run<Refusal>
  /** Once the response has been sent. A failure is reported. */
  readonly afterResponse?: Run<unknown>
}

interface Options {
  /** A new account, with its profile. */
  readonly signUp?: Moments
  /** A sign-in with the password. In the transaction means: before there is a session. */
  readonly signIn?: Moments
  /** A deletion. In the transaction means: before the row of the account is deleted. */
  readonly deletion?: Moments
}

type NeedsOf<Run> = Run extends (user: Identity) => Effect.Effect<unknown, unknown, infer R> ? R : never

type Needs<Given> = { [Event in keyof Given]: NeedsOf<Given[Event][keyof Given[Event]]> }[keyof Given]

/** What a hook of a request may use besides the services of the program. */
type Request = HttpServerRequest.HttpServerRequest | RequestState

/** The services of the program that its hooks use. */
type Services<Given extends Options> =
  | Exclude<Needs<Omit<Given, "deletion">>, Request>
  | (Given extends { readonly deletion: Moments } ? Needs<Pick<Given, "deletion">> : never)

/** Runs the program's work at these events; what it needs is what the layer needs. */
export const layer = <Given extends Options>(
  given: Given
): Layer.Layer<AccountHooks, never, SqlClient.SqlClient | Services<Given>> =>
  Layer.effect(
    AccountHooks,
    Effect.gen(function* () {
      const transaction = Transaction.make(yield* SqlClient.SqlClient)
      // The scope of the layer must not hide the one of a request.
      const services = Context.omit(Scope.Scope)(yield* Effect.context<Services<Given>>())
      // A boundary of the type system: what is not among these services is in the context of the request.
      const provided = <E>(effect: Effect.Effect<unknown, E, unknown>) =>
        Effect.provide(effect, services) as Effect.Effect<void, E>
      const hook = ({ afterResponse, inTransaction }: Moments = {}): Hook => ({
        inTransaction:
          inTransaction &&
          ((user) =>
            transaction(Effect.mapError(provided(inTransaction(user)), (failure) => new HookFailed({ failure })))),
        afterResponse: afterResponse && ((user) => provided(afterResponse(user)))
      })
      return { signUp: hook(given.signUp), signIn: hook(given.signIn), deletion: hook(given.deletion) }
    })
  )
