// Public exports: guards, steps and endpoints of HTTP.
export * as Assets from "./Assets.ts"
export * as BodyLimit from "./BodyLimit.ts"
export * as Texts from "./Texts.ts"
