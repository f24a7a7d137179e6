// Public exports: schemas, errors, tags and pure rules of error handling.
export * as ErrorPages from "./ErrorPages.ts"
export * as ExceptionRecords from "./ExceptionRecords.ts"
export * as Fatal from "./Fatal.ts"
export * as Redaction from "./Redaction.ts"
export * as Reporters from "./Reporters.ts"
export * as Sources from "./Sources.ts"
export * as Throwable from "./Throwable.ts"
export * as Throwables from "./Throwables.ts"
