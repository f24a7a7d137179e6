// Who has to have a second factor.
import { Context, Effect, Layer } from "effect"
import * as RequestServices from "../http/internal/RequestServices.ts"
import { CurrentIdentity, type Identity } from "../session/Identity.ts"
import type { NoProfile } from "./Profile.ts"

/**
 * Decides which accounts have to have a second factor. The guards of pages and of APIs let such an account in when it has
 * one; until then it reaches the pages and endpoints of its own account alone.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { FactorPolicy, Factors } from "effect-framework/auth"
 * import type { Identity } from "effect-framework/session"
 *
 * // For a note on a page: whether this account still has to add a second factor.
 * export const hasToAdd = (user: Identity.Identity) =>
 *   Effect.gen(function* () {
 *     const { requires } = yield* FactorPolicy.FactorPolicy
 *     if (requires === undefined || !(yield* requires(user))) return false
 *     const factors = yield* Factors.Factors
 *     const { kinds } = yield* factors.required(user.id)
 *     return kinds.length === 0
 *   })
 * ```
 */
export class FactorPolicy extends Context.Tag("effect-framework/auth/FactorPolicy")<
  FactorPolicy,
  {
    /** Whether this account has to have one; `undefined` where none has to. */
    readonly requires: ((user: Identity) => Effect.Effect<boolean>) | undefined
  }
>() {}

/**
 * Nobody has to: everyone decides for their own account. `SqlAuthentication` provides it.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { FactorPolicy } from "effect-framework/auth"
 * import { Environment } from "effect-framework/config"
 * import { Identity } from "effect-framework/session"
 *
 * const isStaff = Effect.map(Identity.CurrentIdentity, ({ email }) => email.endsWith("@teapots.example"))
 *
 * // Nobody scans a QR code on a developer's machine.
 * export const policy = Layer.unwrapEffect(
 *   Effect.map(Environment.Environment, (name) =>
 *     name === "development" ? FactorPolicy.layerNobody : FactorPolicy.layer(isStaff)
 *   )
 * )
 * ```
 */
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
