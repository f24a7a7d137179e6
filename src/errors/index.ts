// Reports each exception once, renders it and masks its secrets; the error pages of a project.
export * as ErrorPages from "./ErrorPages.ts"
export * as ExceptionRecords from "./ExceptionRecords.ts"
export * as Fatal from "./Fatal.ts"
export * as Redaction from "./Redaction.ts"
export * as Reporters from "./Reporters.ts"
export * as Sources from "./Sources.ts"
export * as Throwable from "./Throwable.ts"
export * as Throwables from "./Throwables.ts"
