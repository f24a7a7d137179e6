// Public exports for the main file of a program.
export * as Environment from "./errors/Environment.ts"
