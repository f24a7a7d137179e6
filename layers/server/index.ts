// The HTTP server, the settings of the environment, and the framework's layers put together for a program.
export * as AppConfig from "./AppConfig.ts"
export * as AppLayer from "./AppLayer.ts"
export * as Mount from "./Mount.ts"
export * as Sockets from "./Sockets.ts"
export * as WebServer from "./WebServer.ts"
