// How a request reaches a collector.
import { Context, type Effect } from "effect"
import type { ExportFailed } from "../../../src/observability/MetricsExporter.ts"
import type { CollectorResponse } from "../../../src/observability/internal/export/OtlpResponse.ts"

/** One POST. */
export interface OtlpRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Posts a request; fails without a status when no response came. An interruption breaks the request off. */
export class OtlpTransport extends Context.Tag("effect-framework/observability/OtlpTransport")<
  OtlpTransport,
  (request: OtlpRequest) => Effect.Effect<CollectorResponse, ExportFailed>
>() {}
