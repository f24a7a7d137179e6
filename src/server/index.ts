// Public exports: schemas, errors, tags and pure rules of the server.
export * as RestartPolicy from "./RestartPolicy.ts"
export * as ServerAddress from "./ServerAddress.ts"
export * as ServerSettings from "./ServerSettings.ts"
export * as Setting from "./Setting.ts"
export * as StartupError from "./StartupError.ts"
export * as Version from "./Version.ts"
