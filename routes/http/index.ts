// Serves the program's own small files, sets the body limit of a route, and reads texts in the language of the request.
export * as Assets from "./Assets.ts"
export * as BodyLimit from "./BodyLimit.ts"
export * as Texts from "./Texts.ts"
