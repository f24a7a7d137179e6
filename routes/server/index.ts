// Prepares routes and typed APIs for a server, and documents the APIs with OpenAPI.
export * as ApiDocs from "./ApiDocs.ts"
export * as ApiHandlers from "./ApiHandlers.ts"
export * as Pipeline from "./Pipeline.ts"
