// Authentication on a SQL database, password hashing with argon2, and sign-in with Google, Microsoft, GitHub or OpenID
// Connect.
export * as Argon2Password from "./Argon2Password.ts"
export * as GitHub from "./GitHub.ts"
export * as Google from "./Google.ts"
export * as Microsoft from "./Microsoft.ts"
export * as OidcProvider from "./OidcProvider.ts"
export * as SqlAccountHooks from "./SqlAccountHooks.ts"
export * as SqlAuthentication from "./SqlAuthentication.ts"
export * as SqlProfile from "./SqlProfile.ts"
export * as SqlTokens from "./SqlTokens.ts"
export * as SqlTrust from "./SqlTrust.ts"
export * as SqlUsers from "./SqlUsers.ts"
