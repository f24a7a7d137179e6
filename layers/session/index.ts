// Trusts proxies for the address of a client, and keeps uploads in temporary files.
export * as TemporaryUploads from "./TemporaryUploads.ts"
export * as TrustedProxies from "./TrustedProxies.ts"
