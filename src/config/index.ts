// The deployment environment of a program, and the one-line reason why it does not start.
export * as Environment from "./Environment.ts"
export * as StartupError from "./StartupError.ts"
