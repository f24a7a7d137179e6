// The deployment environment. Only an exact name is accepted; anything else is production, which shows no details.
import { Config, Context, Effect, FiberRef, Layer } from "effect"

/** The accepted names. */
export const names = ["development", "staging", "test", "production"] as const

/** One of the four environments. */
export type Name = (typeof names)[number]

const variable = "FRAMEWORK_ENVIRONMENT"

/** The environment of this process, read once when the layer is built. */
export class Environment extends Context.Tag("effect-framework/errors/Environment")<Environment, Name>() {}

/** The environment of exactly this name; a space, a capital or a typing error means production. */
export const fetch = (name: string | undefined): Name => names.find((known) => known === name) ?? "production"

/** The environment that `FRAMEWORK_ENVIRONMENT` names; production for anything else. Never fails. */
export const config: Config.Config<Name> = Config.string(variable).pipe(
  Config.option,
  Config.map((name) => fetch(name._tag === "Some" ? name.value : undefined))
)

/** Reads the variable. A config provider that fails means production: it must not reveal the details of an error. */
export const layer: Layer.Layer<Environment> = Layer.effect(
  Environment,
  Effect.orElseSucceed(config, (): Name => "production")
)

/** This environment, regardless of the variable. */
export const layerWith = (name: Name): Layer.Layer<Environment> => Layer.succeed(Environment, name)

// Belongs to one fiber and is not inherited: a concurrent request cannot take it.
const next = FiberRef.unsafeMake<Name | undefined>(undefined, {
  fork: () => undefined,
  join: (ours, theirs) => theirs ?? ours
})

/** Sets the environment of the next error response of this fiber, and only of that one. */
export const override = (name: Name): Effect.Effect<void> => FiberRef.set(next, name)

/** The environment of the next error response; clears the override. */
export const current: Effect.Effect<Name, never, Environment> = Effect.flatMap(FiberRef.get(next), (name) =>
  name === undefined ? Environment : Effect.as(FiberRef.set(next, undefined), name)
)
