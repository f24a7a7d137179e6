// Public exports: the handler of failed requests.
export * as Catcher from "./Catcher.ts"
