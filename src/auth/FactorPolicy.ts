// Who has to have a second factor.
import { Context, Effect, Layer } from "effect"
import * as RequestServices from "../http/internal/RequestServices.ts"
import { CurrentIdentity, type Identity } from "../session/Identity.ts"
import type { NoProfile } from "./Profile.ts"

/**
 * Decides which accounts have to have a second factor. The guards of pages and of APIs let such an account in when it has
 * one; until then it reaches the pages and endpoints of its own account alone.
 */
export class FactorPolicy extends Context.Tag("effect-framework/auth/FactorPolicy")<
  FactorPolicy,
  {
    /** Whether this account has to have one; `undefined` where none has to. */
    readonly requires: ((user: Identity) => Effect.Effect<boolean>) | undefined
  }
>() {}

/** Nobody has to: everyone decides for their own account. `SqlAuthentication` provides it. */
export const layerNobody: Layer.Layer<FactorPolicy> = Layer.succeed(FactorPolicy, { requires: undefined })

/**
 * Accounts for which the condition holds have to have a second factor. It belongs to the services of the program.
 *
 * @example
 * ```ts
 * import { Effect, Schema } from "effect"
 * import { FactorPolicy, Profile } from "effect-framework/auth"
 *
 * const Member = Profile.make({
 *   signUp: Schema.Struct({ name: Schema.NonEmptyString }),
 *   stored: Schema.Struct({ role: Schema.optionalWith(Schema.Literal("member", "admin"), { default: () => "member" }) }),
 *   fields: { name: { label: "Name" } }
 * })
 *
 * export const layer = FactorPolicy.layer(Effect.map(Member.current, ({ role }) => role === "admin"))
 * ```
 */
export const layer = <R>(
  condition: Effect.Effect<boolean, NoProfile, R>
): Layer.Layer<FactorPolicy, never, Exclude<R, CurrentIdentity>> =>
  Layer.effect(
    FactorPolicy,
    Effect.map(Effect.context<Exclude<R, CurrentIdentity>>(), (services) => {
      // Without a profile an account has no role.
      const total = Effect.catchTag(condition, "NoProfile", () => Effect.succeed(false))
      const requires = (user: Identity): Effect.Effect<boolean> =>
        RequestServices.provideBelow(RequestServices.provideService(total, CurrentIdentity, user), services)
      return { requires }
    })
  )
