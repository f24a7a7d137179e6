// Public exports: schemas, errors, tags and pure rules of texts.
export * as German from "./German.ts"
