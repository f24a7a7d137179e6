// The address and the routes of the running server.
export * as ServerAddress from "./ServerAddress.ts"
