// The address of a database: a file of SQLite or a server of PostgreSQL.
export * as DatabaseUrl from "./DatabaseUrl.ts"
