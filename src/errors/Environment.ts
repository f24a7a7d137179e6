// Which deployment this is. Only an exact name counts; everything else is production, where nothing is shown.
import { Config, Context, Effect, FiberRef, Layer } from "effect"

/** The names that count. */
export const names = ["development", "staging", "test", "production"] as const

/** One of the four deployments. */
export type Name = (typeof names)[number]

/** The variable that names the deployment. */
const variable = "FRAMEWORK_ENVIRONMENT"

/** The deployment of this process, read once when the layer is built. */
export class Environment extends Context.Tag("effect-framework/errors/Environment")<Environment, Name>() {}

/** The environment of exactly this name; a space, a capital or a typing error means production. */
export const fetch = (name: string | undefined): Name => names.find((known) => known === name) ?? "production"

/** The environment that `FRAMEWORK_ENVIRONMENT` names; production for anything else. Never fails. */
export const config: Config.Config<Name> = Config.string(variable).pipe(
  Config.option,
  Config.map((name) => fetch(name._tag === "Some" ? name.value : undefined))
)

/** Reads the variable; a provider that cannot answer must not open the details of an error, so it is production. */
export const layer: Layer.Layer<Environment> = Layer.effect(
  Environment,
  Effect.orElseSucceed(config, (): Name => "production")
)

/** This environment, whatever the variable says. */
export const layerWith = (name: Name): Layer.Layer<Environment> => Layer.succeed(Environment, name)

// Belongs to one fiber: a fiber that is forked starts without it, so a concurrent request cannot steal it.
const next = FiberRef.unsafeMake<Name | undefined>(undefined, {
  fork: () => undefined,
  join: (ours, theirs) => theirs ?? ours
})

/** The environment of the next answer that this fiber makes, and of that one only. */
export const override = (name: Name): Effect.Effect<void> => FiberRef.set(next, name)

/** The environment to answer for; spends the override. */
export const current: Effect.Effect<Name, never, Environment> = Effect.flatMap(FiberRef.get(next), (name) =>
  name === undefined ? Environment : Effect.as(FiberRef.set(next, undefined), name)
)
