// Public exports: guards, steps and endpoints of HTTP.
export * as Assets from "./Assets.ts"
export * as CsrfCheck from "./CsrfCheck.ts"
export * as Pipeline from "./Pipeline.ts"
export * as Respond from "./Respond.ts"
export * as Throttle from "./Throttle.ts"
