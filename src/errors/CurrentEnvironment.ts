// The environment that decides how much an error response reveals.
import { Context, Effect } from "effect"
import * as CurrentServices from "../http/CurrentServices.ts"
import * as InPlace from "../http/InPlace.ts"
import { Environment } from "./Environment.ts"
import type { Name } from "./EnvironmentName.ts"
import * as EnvironmentOverride from "./EnvironmentOverride.ts"

const environment = CurrentServices.read((services: Context.Context<Environment>) => Context.get(services, Environment))

/** The environment of the next error response; clears the override. */
export const current: Effect.Effect<Name, never, Environment> = InPlace.flatMap(EnvironmentOverride.take, (name) =>
  name === undefined ? environment : Effect.succeed(name)
)
