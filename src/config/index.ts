// Public exports: schemas, errors, tags and pure rules of config.
export * as Environment from "./Environment.ts"
export type * as ServerSettings from "./ServerSettings.ts"
export * as StartupError from "./StartupError.ts"
