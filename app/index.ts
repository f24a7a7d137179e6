// Public exports for the main file of a program.
export * as Cli from "./Cli.ts"
export * as Program from "./Program.ts"
