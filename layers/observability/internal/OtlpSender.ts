// Sends metrics through any transport.
import { Effect, Layer } from "effect"
import type { FleetSnapshot } from "../../../src/observability/Fleet.ts"
import * as Otlp from "../../../src/observability/Otlp.ts"
import { MetricsExporter, type Settings } from "../../../src/observability/MetricsExporter.ts"
import * as OtlpClient from "./OtlpClient.ts"
import type { OtlpTransport } from "./OtlpClient.ts"

const make = (settings: Settings) =>
  Effect.map(OtlpClient.make(settings), (post) => {
    const attributes = { ...OtlpClient.instance, ...settings.attributes }
    const send = ({ snapshot, started }: FleetSnapshot) =>
      post("/v1/metrics", Otlp.exporter({ service: settings.service, attributes, start: started }).export(snapshot))
    return MetricsExporter.of({ send })
  })

/** Sends through the transport below it. */
export const layer = (settings: Settings): Layer.Layer<MetricsExporter, never, OtlpTransport> =>
  Layer.effect(MetricsExporter, make(settings))
