// Serves lists over HTTP, as routes and as endpoints of a typed API.
export * as ListEndpoint from "./ListEndpoint.ts"
export * as ListRoute from "./ListRoute.ts"
