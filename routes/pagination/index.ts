// Public exports: guards, steps and endpoints of pagination.
export * as ListEndpoint from "./ListEndpoint.ts"
export * as ListRoute from "./ListRoute.ts"
