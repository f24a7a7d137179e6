// The names of the environments, the variable that chooses one, and the one that a fiber has chosen instead.
import { Config, type Effect, FiberRef } from "effect"

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

// Belongs to one fiber and is not inherited: a concurrent request cannot take it.
const next = FiberRef.unsafeMake<Name | undefined>(undefined, {
  fork: () => undefined,
  join: (ours, theirs) => theirs ?? ours
})

/** Sets the environment of the next error response of this fiber. */
export const set = (name: Name): Effect.Effect<void> => FiberRef.set(next, name)

/** The environment that was set, once; `undefined` when none was. */
export const take: Effect.Effect<Name | undefined> = FiberRef.getAndSet(next, undefined)
