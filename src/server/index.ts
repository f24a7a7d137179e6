// Public exports: schemas, errors, tags and pure rules of the server.
export * as ServerAddress from "./ServerAddress.ts"
export type * as ServerSettings from "./ServerSettings.ts"
export * as StartupError from "./StartupError.ts"
