// What the routes of a program use: pages, forms, flash messages, uploads, server-sent events and WebSockets.
export * as CsrfCheck from "./CsrfCheck.ts"
export * as Flash from "./Flash.ts"
export * as FormState from "./FormState.ts"
export * as Page from "./Page.ts"
export * as Respond from "./Respond.ts"
export * as ServerSentEvents from "./ServerSentEvents.ts"
export * as Upload from "./Upload.ts"
export * as WebSockets from "./WebSockets.ts"
