// Public exports for the main file of a program.
export * as App from "./App.ts"
