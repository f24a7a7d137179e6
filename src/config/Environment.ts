// The deployment environment. Only an exact name is accepted; anything else is production, which shows no details.
import { Effect, Layer } from "effect"
import { config, Environment, type Name, set } from "./internal/EnvironmentName.ts"

export { Environment, fetch, type Name } from "./internal/EnvironmentName.ts"

/** Reads `FRAMEWORK_ENVIRONMENT`. A config provider that fails means production: it must not reveal the details of an error. */
export const layer: Layer.Layer<Environment> = Layer.effect(
  Environment,
  Effect.orElseSucceed(config, (): Name => "production")
)

/**
 * This environment, regardless of the variable.
 *
 * @example
 * ```ts
 * import { Layer } from "effect"
 * import { Environment } from "effect-framework/config"
 * import { FileErrorPages } from "effect-framework/layers/errors"
 *
 * // In `development` the pages are read at each error: for a program that previews them, wherever it runs.
 * export const pages = Layer.provide(FileErrorPages.layer("views/errors"), Environment.layerWith("development"))
 * ```
 */
export const layerWith = (name: Name): Layer.Layer<Environment> => Layer.succeed(Environment, name)

/**
 * Sets the environment of the next error response of this fiber, and only of that one.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Environment } from "effect-framework/config"
 * import { Identity } from "effect-framework/session"
 *
 * // The owner of the shop gets the debug page of a failure, also in production.
 * const showOwner = Effect.flatMap(Identity.CurrentIdentity, ({ email }) =>
 *   Effect.when(Environment.override("development"), () => email === "owner@example.com")
 * )
 *
 * export const detailed = <A, E, R>(handler: Effect.Effect<A, E, R>) => Effect.tapErrorCause(handler, () => showOwner)
 * ```
 */
export const override = (name: Name): Effect.Effect<void> => set(name)
