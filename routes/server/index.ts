// Public exports: guards, middleware and endpoints of server.
export * as ApiDocs from "./ApiDocs.ts"
export * as ApiHandlers from "./ApiHandlers.ts"
export * as Pipeline from "./Pipeline.ts"
