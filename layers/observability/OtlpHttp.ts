// The HTTP client of the exporters, loaded by the programs that export: it brings a whole HTTP stack.
import type { HttpClient } from "@effect/platform"
import { Effect, Layer } from "effect"

/** Node's own client. */
export const client: Layer.Layer<HttpClient.HttpClient> = Layer.unwrapEffect(
  Effect.promise(async () => (await import("@effect/platform-node/NodeHttpClient")).layerUndici)
)
