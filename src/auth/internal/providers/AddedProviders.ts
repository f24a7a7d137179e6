// The providers of a program as they are added and removed.
import { type Context, Effect, Layer, Option } from "effect"
import { type Figures, type HealthCheck, HealthChecks } from "../../../observability/HealthChecks.ts"
import { type Provider, Providers } from "../../Providers.ts"

// Seen by those who see the single checks. A provider that is down takes no program out of rotation.
const checkOf = ({ id, state }: Provider): HealthCheck => ({
  name: `provider ${id}`,
  check: Effect.void,
  figures: Effect.map(state, (name): Figures => (name === "unknown" ? {} : { ready: name === "ready" ? 1 : 0 }))
})

const make = (checks: Option.Option<Context.Tag.Service<HealthChecks>>): Context.Tag.Service<Providers> => {
  const known = new Map<string, Provider>()
  return {
    add: (provider) =>
      Effect.acquireRelease(
        Effect.sync(() => known.set(provider.id, provider)),
        () => Effect.sync(() => known.get(provider.id) === provider && known.delete(provider.id))
      ).pipe(Effect.zipRight(Option.isSome(checks) ? checks.value.push(checkOf(provider)) : Effect.void)),
    all: Effect.sync(() => [...known.values()])
  }
}

/** No providers yet. Where the program has health checks, each that is added is one of them. */
export const layer: Layer.Layer<Providers> = Layer.effect(
  Providers,
  Effect.map(Effect.serviceOption(HealthChecks), make)
)
