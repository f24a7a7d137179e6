// The names of the environments, the variable that chooses one, and the one that a fiber has chosen instead.
import { Config, Context, Effect, FiberRef } from "effect"

/** The accepted names. */
export const names = ["development", "staging", "test", "production"] as const

/** One of the four environments. */
export type Name = (typeof names)[number]

const variable = "FRAMEWORK_ENVIRONMENT"

/** The environment of exactly this name; a space, a capital or a typing error means production. */
export const fetch = (name: string | undefined): Name => names.find((known) => known === name) ?? "production"

/** The environment that `FRAMEWORK_ENVIRONMENT` names; production for anything else. Never fails. */
export const config: Config.Config<Name> = Config.string(variable).pipe(
  Config.option,
  Config.map((name) => fetch(name._tag === "Some" ? name.value : undefined))
)

/**
 * The environment of this process, read once when the layer is built.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Environment } from "effect-framework/config"
 *
 * // Only production takes money.
 * export const charge = (pence: number) =>
 *   Effect.flatMap(Environment.Environment, (name) =>
 *     Effect.log(name === "production" ? `charging ${pence} pence` : `${pence} pence are not charged in ${name}`)
 *   )
 * ```
 */
export class Environment extends Context.Tag("effect-framework/config/Environment")<Environment, Name>() {}

// Belongs to one fiber and is not inherited: a concurrent request cannot take it.
const next = FiberRef.unsafeMake<Name | undefined>(undefined, {
  fork: () => undefined,
  join: (ours, theirs) => theirs ?? ours
})

/** Sets the environment of the next error response of this fiber. */
export const set = (name: Name): Effect.Effect<void> => FiberRef.set(next, name)

/** The environment of the next error response; clears the override. */
export const current: Effect.Effect<Name, never, Environment> = Effect.flatMap(
  FiberRef.get(next),
  // Only what was set is cleared: a write to the references of a fiber takes 5 µs.
  (name): Effect.Effect<Name, never, Environment> =>
    name === undefined ? Environment : Effect.as(FiberRef.set(next, undefined), name)
)
