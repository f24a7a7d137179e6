// The list of reporters, the log of exceptions, error pages and sources from files, and the last error handler of a
// process.
export * as BoundedAfterResponse from "./BoundedAfterResponse.ts"
export * as FileErrorPages from "./FileErrorPages.ts"
export * as FileSources from "./FileSources.ts"
export * as LogReporter from "./LogReporter.ts"
export * as RunMain from "./RunMain.ts"
export * as WorkerRecords from "./WorkerRecords.ts"
export * as WorkerReporters from "./WorkerReporters.ts"
