// Public exports: live layers of session.
export * as MaskedCsrf from "./MaskedCsrf.ts"
export * as SqlKeyRing from "./SqlKeyRing.ts"
export * as SqlRateLimit from "./SqlRateLimit.ts"
export * as SqlSessions from "./SqlSessions.ts"
export * as SystemEntropy from "./SystemEntropy.ts"
export * as TemporaryUploads from "./TemporaryUploads.ts"
export * as TrustedProxies from "./TrustedProxies.ts"
