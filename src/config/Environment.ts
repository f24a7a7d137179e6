// The deployment environment. Only an exact name is accepted; anything else is production, which shows no details.
import { Effect, Layer } from "effect"
import { config, Environment, type Name, set } from "./internal/EnvironmentName.ts"

export { Environment, fetch, type Name } from "./internal/EnvironmentName.ts"

/** Reads `FRAMEWORK_ENVIRONMENT`. A config provider that fails means production: it must not reveal the details of an error. */
export const layer: Layer.Layer<Environment> = Layer.effect(
  Environment,
  Effect.orElseSucceed(config, (): Name => "production")
)

/** This environment, regardless of the variable. */
export const layerWith = (name: Name): Layer.Layer<Environment> => Layer.succeed(Environment, name)

/** Sets the environment of the next error response of this fiber, and only of that one. */
export const override = (name: Name): Effect.Effect<void> => set(name)
