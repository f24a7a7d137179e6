// Public exports: endpoints and request telemetry.
export * as Health from "./Health.ts"
export * as Info from "./Info.ts"
export * as Metrics from "./Metrics.ts"
export * as Telemetry from "./Telemetry.ts"
