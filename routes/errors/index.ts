// Turns every failure of a request into a response.
export * as Catcher from "./Catcher.ts"
