// The names of the environments, and the variable that chooses one.
import { Config } from "effect"

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
