// Public exports of authentication: its live layers.
export * as Argon2Password from "./Argon2Password.ts"
export * as SqlAccountHooks from "./SqlAccountHooks.ts"
export * as SqlAuthentication from "./SqlAuthentication.ts"
export * as SqlProfile from "./SqlProfile.ts"
export * as SqlTokens from "./SqlTokens.ts"
export * as SqlTrust from "./SqlTrust.ts"
export * as SqlUsers from "./SqlUsers.ts"
