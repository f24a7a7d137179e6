// Connects to SQLite or PostgreSQL, applies migrations, names the tables, and turns violated constraints into typed
// errors.
export * as Constraint from "./Constraint.ts"
export * as Database from "./Database.ts"
export * as Migrations from "./Migrations.ts"
export * as SqlReadiness from "./SqlReadiness.ts"
export * as Tables from "./Tables.ts"
