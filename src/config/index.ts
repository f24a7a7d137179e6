// Public exports: schemas, errors, tags and pure rules of config.
export * as Environment from "./Environment.ts"
export * as StartupError from "./StartupError.ts"
