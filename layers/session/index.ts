// Public exports: live layers of session.
export * as TemporaryUploads from "./TemporaryUploads.ts"
export * as TrustedProxies from "./TrustedProxies.ts"
