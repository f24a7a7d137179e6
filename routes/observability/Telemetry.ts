// Request telemetry that counts from the start.
import { Effect, Layer } from "effect"
import type { InvalidInstrument } from "../../src/observability/Instrument.ts"
import type { Observability } from "../../src/observability/Observability.ts"
import type { RequestEvents } from "../../src/observability/RequestEvents.ts"
import * as RequestTelemetry from "./internal/RequestTelemetry.ts"

export { layer as layerManual, Telemetry } from "./internal/RequestTelemetry.ts"

/** Counts the requests of the server: total, in progress, duration in all and by route, and responses by status class. */
export const layerBooted: Layer.Layer<never, InvalidInstrument, Observability | RequestEvents> = Layer.effectDiscard(
  Effect.flatMap(RequestTelemetry.Telemetry, ({ boot }) => boot)
).pipe(Layer.provide(RequestTelemetry.layer))
