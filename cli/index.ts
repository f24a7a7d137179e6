// Public exports: the command line of a program.
export * as Cli from "./Cli.ts"
export * as Program from "./Program.ts"
