// Public exports: guards, steps and endpoints of pagination.
export * as Resource from "./Resource.ts"
