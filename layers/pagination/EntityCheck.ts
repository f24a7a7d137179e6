// Compares entities with the tables of the database: once at the start, before any list is read.
import type { SqlClient } from "@effect/sql"
import { Layer } from "effect"
import type { EntityMismatch } from "../../src/pagination/Entity.ts"
import type * as EntityRow from "../../src/pagination/internal/columns/EntityRow.ts"
import * as EntityTables from "./internal/EntityTables.ts"

export type { Any } from "../../src/pagination/internal/columns/EntityRow.ts"

/** Stops the start of a program when an entity does not fit its table, or when the table is not there. */
export const layer = (
  ...entities: ReadonlyArray<EntityRow.Any>
): Layer.Layer<never, EntityMismatch, SqlClient.SqlClient> => Layer.effectDiscard(EntityTables.check(...entities))
