// Public exports: guards, steps and endpoints of HTTP.
export * as Assets from "./Assets.ts"
export * as BodyLimit from "./BodyLimit.ts"
export * as CsrfCheck from "./CsrfCheck.ts"
export * as Pipeline from "./Pipeline.ts"
export * as Respond from "./Respond.ts"
export * as Texts from "./Texts.ts"
export * as Throttle from "./Throttle.ts"
export * as Upload from "./Upload.ts"
