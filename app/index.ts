// Runs a program: serves its routes with one or more workers, and has the commands for operators.
export * as App from "./App.ts"
