// Lets an account in that needs no second factor, or has one.
import { Context, Effect } from "effect"
import { FactorRequired } from "../../../src/auth/AuthError.ts"
import { FactorPolicy } from "../../../src/auth/FactorPolicy.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as RouteOptions from "../../../src/http/internal/RouteOptions.ts"
import type { Identity } from "../../../src/session/Identity.ts"

/** What the check uses. */
export type Needs = FactorPolicy | Factors | RequestState

const hasFactor = ({ id }: Identity) =>
  Effect.flatMap(Factors, (factors) => Effect.map(factors.required(id), ({ kinds }) => kinds.length > 0))

/** Fails for an account without a second factor. */
export const required = (user: Identity): Effect.Effect<void, FactorRequired, Factors> =>
  Effect.flatMap(hasFactor(user), (has) => (has ? Effect.void : new FactorRequired()))

/** Runs the handler for an account that the policy lets in. The routes of the account itself are open: there it adds the factor. */
export const checked = <A, E, R, A2, E2, R2>(
  user: Identity,
  handler: Effect.Effect<A, E, R>,
  refusal: Effect.Effect<A2, E2, R2>
): Effect.Effect<A | A2, E | E2, R | R2 | Needs> =>
  RequestServices.use((services: Context.Context<Needs>): Effect.Effect<A | A2, E | E2, R | R2 | Factors> => {
    const { requires } = Context.get(services, FactorPolicy)
    if (requires === undefined || RouteOptions.of(Context.get(services, RequestState)).isAccount === true)
      return handler
    const isLetIn = Effect.flatMap(requires(user), (isRequired) =>
      isRequired ? hasFactor(user) : Effect.succeed(true)
    )
    return Effect.if(isLetIn, { onTrue: () => handler, onFalse: () => refusal })
  })
