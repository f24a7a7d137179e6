// Public exports: schemas, errors, tags and pure rules of the server.
export * as ServerAddress from "./ServerAddress.ts"
