// Public exports: schemas, errors, tags and pure rules of HTTP.
export * as Accept from "./Accept.ts"
export * as AfterResponse from "./AfterResponse.ts"
export * as Asset from "./Asset.ts"
export * as BodyError from "./BodyError.ts"
export * as DefaultLayout from "./DefaultLayout.ts"
export * as Exchange from "./Exchange.ts"
export * as Html from "./Html.ts"
export * as Layout from "./Layout.ts"
