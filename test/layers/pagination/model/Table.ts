// A table of a model: random columns, a random key, and rows that change while a list is read.
import { SqlClient } from "@effect/sql"
import { Effect, FastCheck as fc, Schema } from "effect"
import type { Scalar } from "../../../../src/pagination/ColumnKind.ts"
import { pg, sqlite } from "../../../../src/pagination/Dialect.ts"
import type * as Entity from "../../../../src/pagination/Entity.ts"
import { erase } from "../../../../src/pagination/EntityColumns.ts"
import type { Engine } from "../../../support/Databases.ts"
import { kinds, type ValueKind } from "./ValueKinds.ts"

export type Value = Scalar | null
export type Row = Readonly<Record<string, Value>>

export interface Field {
  readonly name: string
  readonly kindName: string
  readonly nullable: boolean
  /** Not among what a counterexample prints. */
  readonly kind: ValueKind
}

export interface Table {
  readonly engine: Engine
  readonly fields: ReadonlyArray<Field>
  /** The names of the columns of the key. */
  readonly keys: ReadonlyArray<string>
  /** Whether SQLite keeps the rows by the key itself. */
  readonly withoutRowId: boolean
}

const field = (engine: Engine, index: number, isKey: boolean): fc.Arbitrary<Field> =>
  fc
    .record({
      kindName: fc.constantFrom(...Object.keys(kinds[engine])),
      nullable: isKey ? fc.constant(false) : fc.boolean()
    })
    .map(({ kindName, nullable }) => {
      const kind = kinds[engine][kindName]
      if (kind === undefined) throw new TypeError(kindName)
      return Object.defineProperty({ name: `c${index}`, kindName, nullable, kind }, "kind", { enumerable: false })
    })

/** One to three columns of the key, and up to five others. */
export const table = (engine: Engine): fc.Arbitrary<Table> =>
  fc
    .record({ key: fc.integer({ min: 1, max: 3 }), others: fc.integer({ min: 1, max: 5 }), withoutRowId: fc.boolean() })
    .chain(({ key, others, withoutRowId }) =>
      fc
        .tuple(...Array.from({ length: key + others }, (_, index) => field(engine, index, index < key)))
        .map((fields) => ({ engine, fields, keys: fields.slice(0, key).map(({ name }) => name), withoutRowId }))
    )

/** Any row of a table, made of the values of its kinds. */
export const row = ({ fields }: Table): fc.Arbitrary<Row> =>
  fc.record(
    Object.fromEntries(
      fields.map(({ kind, name, nullable }) => [
        name,
        fc.constantFrom<Value>(...kind.values, ...(nullable ? [null] : []))
      ])
    )
  )

export const fieldOf = ({ fields }: Table, name: string): Field => {
  const found = fields.find((field) => field.name === name)
  if (found === undefined) throw new TypeError(`no column ${name}`)
  return found
}

/** Whether two rows cannot be in the table at once. */
export const sharesKey = (table: Table, left: Row, right: Row): boolean =>
  table.keys.every((name) => fieldOf(table, name).kind.compare(left[name] ?? "", right[name] ?? "") === 0)

/** The entity, whose operands and items are values of the kinds. */
export const entityOf = ({ fields, keys }: Table): Entity.Entity => {
  const columns = Object.fromEntries(fields.map(({ kind, name, nullable }) => [name, { ...kind.column, nullable }]))
  return erase({
    table: "model",
    key: keys[0] ?? "",
    keys,
    columns,
    names: Object.keys(columns),
    schema: Schema.Struct({})
  })
}

const run = (text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(sql.unsafe(text, values)))

/** Makes the table anew. */
export const create = ({ engine, fields, keys, withoutRowId }: Table) => {
  const lines = fields.map(({ kind, name, nullable }) => `"${name}" ${kind.type}${nullable ? "" : " NOT NULL"}`)
  const suffix = engine === "SQLite" && withoutRowId ? " WITHOUT ROWID" : ""
  return Effect.zipRight(
    run(`DROP TABLE IF EXISTS model`),
    run(
      `CREATE TABLE model (${lines.join(", ")}, PRIMARY KEY (${keys.map((name) => `"${name}"`).join(", ")}))${suffix}`
    )
  )
}

/** The types and collations that the kinds of an engine need. */
export const types = (engine: Engine) =>
  engine === "SQLite"
    ? Effect.void
    : Effect.zipRight(
        run("CREATE TYPE mood AS ENUM ('sad', 'glad', 'happy')"),
        run("CREATE COLLATION insensitive (provider = icu, locale = 'en-u-ks-level2', deterministic = false)")
      )

const written = ({ engine, fields }: Table, names: ReadonlyArray<string>, row: Row): ReadonlyArray<unknown> => {
  const dialect = engine === "SQLite" ? sqlite : pg
  return names.map((name) => {
    const column = fields.find((field) => field.name === name)?.kind.column
    const value = row[name] ?? null
    return value === null || column === undefined ? null : dialect.write(value, column)
  })
}

const place = ({ engine }: Table, index: number): string => (engine === "SQLite" ? "?" : `$${index + 1}`)

export const insert = (table: Table, rows: ReadonlyArray<Row>) => {
  const names = table.fields.map(({ name }) => name)
  const line = (_: Row, index: number) =>
    `(${names.map((_, column) => place(table, index * names.length + column)).join(", ")})`
  return rows.length === 0
    ? Effect.void
    : run(
        `INSERT INTO model (${names.map((name) => `"${name}"`).join(", ")}) VALUES ${rows.map(line).join(", ")}`,
        rows.flatMap((row) => written(table, names, row))
      )
}

export const remove = (table: Table, row: Row) =>
  run(
    `DELETE FROM model WHERE ${table.keys.map((name, index) => `"${name}" = ${place(table, index)}`).join(" AND ")}`,
    written(table, table.keys, row)
  )
