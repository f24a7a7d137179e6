// Public exports for the main file of a program.
export * as Environment from "./errors/Environment.ts"
export * as ServerAddress from "./server/ServerAddress.ts"
export * as StartupError from "./server/StartupError.ts"
