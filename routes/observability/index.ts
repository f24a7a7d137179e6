// The endpoints for health, versions and metrics, and the log line, metrics and span of each request.
export * as Health from "./Health.ts"
export * as Info from "./Info.ts"
export * as Metrics from "./Metrics.ts"
export * as Telemetry from "./Telemetry.ts"
