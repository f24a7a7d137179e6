// Public exports: guards, steps and endpoints of error handling.
export * as Catcher from "./Catcher.ts"
export * as ErrorContext from "./ErrorContext.ts"
export * as InvalidRequest from "./InvalidRequest.ts"
export * as Negotiation from "./Negotiation.ts"
export * as StatusResponse from "./StatusResponse.ts"
