// The environment that decides how much an error response reveals.
import { Effect } from "effect"
import { Environment } from "../Environment.ts"
import { type Name, take } from "./EnvironmentName.ts"

/** The environment of the next error response; clears the override. */
export const current: Effect.Effect<Name, never, Environment> = Effect.flatMap(
  take,
  (name): Effect.Effect<Name, never, Environment> => (name === undefined ? Environment : Effect.succeed(name))
)
