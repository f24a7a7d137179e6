// Public exports: live layers of HTTP.
export * as BoundedAfterResponse from "./BoundedAfterResponse.ts"
export * as ProxyExchanges from "./ProxyExchanges.ts"
export * as TemporaryUploads from "./TemporaryUploads.ts"
