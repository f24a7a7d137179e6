// Public exports: schemas, errors, tags and pure rules of the database.
export * as DatabaseUnavailable from "./DatabaseUnavailable.ts"
export * as DatabaseUrl from "./DatabaseUrl.ts"
export * as MigrationFailed from "./MigrationFailed.ts"
