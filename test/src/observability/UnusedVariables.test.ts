import { expect, it } from "@effect/vitest"
import * as UnusedVariables from "../../../src/observability/internal/UnusedVariables.ts"

it("the variables without an effect are those that are set, but not those that ask for what is done anyway", () => {
  const unused = UnusedVariables.of({
    OTEL_PROPAGATORS: "b3",
    OTEL_BSP_MAX_QUEUE_SIZE: "100",
    OTEL_BSP_SCHEDULE_DELAY: "100",
    OTEL_BLRP_SCHEDULE_DELAY: "",
    OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY: "/run/secrets/key.pem",
    OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "Cumulative"
  })
  expect(unused).toEqual(["OTEL_PROPAGATORS", "OTEL_BSP_MAX_QUEUE_SIZE", "OTEL_EXPORTER_OTLP_TRACES_CLIENT_KEY"])
  expect(UnusedVariables.line(unused)).not.toContain("key.pem")
  expect(UnusedVariables.of({ OTEL_PROPAGATORS: "tracecontext, baggage" })).toEqual([])
})
