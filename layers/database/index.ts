// Public exports: live layers of the database.
export * as Database from "./Database.ts"
export * as Migrations from "./Migrations.ts"
export * as PostgresDatabase from "./PostgresDatabase.ts"
export * as SqlReadiness from "./SqlReadiness.ts"
export * as SqliteDatabase from "./SqliteDatabase.ts"
export * as Tables from "./Tables.ts"
