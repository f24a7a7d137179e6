// Public exports: live layers of observability.
export * as AccessLog from "./AccessLog.ts"
export * as FileFleet from "./FileFleet.ts"
export * as NodeProcessInfo from "./NodeProcessInfo.ts"
export * as OtlpMetricsExporter from "./OtlpMetricsExporter.ts"
export * as OtlpTelemetry from "./OtlpTelemetry.ts"
export * as ProgramLog from "./ProgramLog.ts"
export * as SqlReadiness from "./SqlReadiness.ts"
export * as WorkerObservability from "./WorkerObservability.ts"
