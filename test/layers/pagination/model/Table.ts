// A table of a model: random columns, a random key, and rows that change while a list is read; two others refer to it and
// are referred to by it.
import { SqlClient } from "@effect/sql"
import { Effect, FastCheck as fc, Schema } from "effect"
import type { Scalar } from "../../../../src/pagination/internal/columns/ColumnKind.ts"
import { pg, sqlite } from "../../../../src/pagination/internal/query/Dialect.ts"
import type * as Entity from "../../../../src/pagination/Entity.ts"
import { erase } from "../../../../src/pagination/internal/columns/EntityColumns.ts"
import * as FullText from "../../../../src/pagination/internal/query/FullText.ts"
import { fullTextIndex, identity, identityOf } from "../../../../src/pagination/internal/columns/EntityRow.ts"
import type { Engine } from "../../../support/Databases.ts"
import { kinds, type ValueKind } from "./ValueKinds.ts"

/** JSON is its text. */
export type Value = Scalar | null
export type Row = Readonly<Record<string, Value>>

export interface Field {
  readonly name: string
  readonly kindName: string
  readonly nullable: boolean
  /** Not among what a counterexample prints. */
  readonly kind: ValueKind
}

/** The columns of a table. */
export interface Shape {
  readonly engine: Engine
  readonly name: string
  readonly fields: ReadonlyArray<Field>
  /** The names of the columns of the key. */
  readonly keys: ReadonlyArray<string>
  /** Whether SQLite keeps the rows by the key itself. */
  readonly withoutRowId: boolean
  /** The columns of its full-text index; empty for none. */
  readonly searched: ReadonlyArray<string>
}

/** A table whose rows stay as they are. */
export interface Fixed extends Shape {
  readonly rows: ReadonlyArray<Row>
}

export interface Table extends Shape {
  /** Its column `owner` refers to the key of these. */
  readonly owners: Fixed
  /** Their columns `k0`, `k1` and so on refer to its key. */
  readonly notes: Fixed
}

const field = (name: string, kindName: string, nullable: boolean, engine: Engine): Field => {
  const kind = kinds[engine][kindName]
  if (kind === undefined) throw new TypeError(kindName)
  return Object.defineProperty({ name, kindName, nullable, kind }, "kind", { enumerable: false })
}

const isOrdered = ({ isOrdered }: ValueKind): boolean => isOrdered

// A column of any kind for which this holds.
const anyField = (
  engine: Engine,
  name: string,
  isFit: (kind: ValueKind, kindName: string) => boolean,
  nullable: fc.Arbitrary<boolean>
): fc.Arbitrary<Field> =>
  fc
    .tuple(
      fc.constantFrom(
        ...Object.entries(kinds[engine])
          .filter(([kindName, kind]) => isFit(kind, kindName))
          .map(([kindName]) => kindName)
      ),
      nullable
    )
    .map(([kindName, nullable]) => field(name, kindName, nullable, engine))

const never = fc.constant(false)

const fixed = (shape: Shape): fc.Arbitrary<Fixed> =>
  fc.array(row(shape), { maxLength: 12, size: "max" }).map((rows) =>
    Object.assign({}, shape, {
      rows: rows.filter((row, index) => !rows.slice(0, index).some((earlier) => sharesKey(shape, earlier, row)))
    })
  )

const owners = (engine: Engine): fc.Arbitrary<Fixed> =>
  fc
    .tuple(anyField(engine, "id", isOrdered, never), anyField(engine, "rank", isOrdered, fc.boolean()))
    .chain((fields) => fixed({ engine, name: "owners", fields, keys: ["id"], withoutRowId: false, searched: [] }))

const notes = (engine: Engine, keys: ReadonlyArray<Field>): fc.Arbitrary<Fixed> =>
  anyField(engine, "mark", () => true, fc.boolean()).chain((mark) => {
    const links = keys.map(({ kindName }, index) => field(`k${index}`, kindName, false, engine))
    const shape = { engine, name: "notes", keys: links.map(({ name }) => name), withoutRowId: false, searched: [] }
    return fixed({ ...shape, fields: [...links, mark] })
  })

/**
 * One to three columns of the key, up to five others, a reference to an owner, and sometimes texts with a full-text index:
 * in SQLite it needs one integer as the key.
 */
export const table = (engine: Engine): fc.Arbitrary<Table> =>
  fc
    .record({
      isSearched: fc.boolean(),
      key: fc.integer({ min: 1, max: 3 }),
      others: fc.integer({ min: 1, max: 5 }),
      withoutRowId: fc.boolean()
    })
    .chain(({ isSearched, key, others, withoutRowId }) => {
      const isServed = (kind: ValueKind, kindName: string) =>
        isSearched && engine === "SQLite" ? kindName === "integer" || kindName === "bigint" : kind.isOrdered
      const length = isSearched && engine === "SQLite" ? 1 : key
      const keys = Array.from({ length }, (_, index) => anyField(engine, `c${index}`, isServed, never))
      const rest = Array.from({ length: others }, (_, index) =>
        anyField(engine, `c${length + index}`, () => true, fc.boolean())
      )
      const texts = (isSearched ? ["title", "note"] : []).map((name) =>
        anyField(engine, name, (_, kindName) => kindName === "prose", fc.boolean())
      )
      return fc.tuple(fc.tuple(...keys), fc.tuple(...rest, ...texts), owners(engine)).chain(([keys, rest, owners]) => {
        const [owner] = owners.fields
        return fc.tuple(notes(engine, keys), fc.boolean()).map(([notes, nullable]): Table => ({
          engine,
          name: "model",
          fields: [...keys, ...rest, field("owner", owner?.kindName ?? "", nullable, engine)],
          keys: keys.map(({ name }) => name),
          withoutRowId,
          searched: isSearched ? ["title", "note"] : [],
          owners,
          notes
        }))
      })
    })

/** Any row of a table, made of the values of its kinds. */
export const row = ({ fields }: Shape): fc.Arbitrary<Row> =>
  fc.record(
    Object.fromEntries(
      fields.map(({ kind, name, nullable }) => [
        name,
        fc.constantFrom<Value>(...kind.values, ...(nullable ? [null] : []))
      ])
    )
  )

export const fieldOf = ({ fields }: Shape, name: string): Field => {
  const found = fields.find((field) => field.name === name)
  if (found === undefined) throw new TypeError(`no column ${name}`)
  return found
}

/** Whether two values of a kind are the same to the database; a null is the same as nothing. */
export const isSame = ({ compare }: ValueKind, left: Value | undefined, right: Value | undefined): boolean =>
  left !== undefined && left !== null && right !== undefined && right !== null && compare(left, right) === 0

/** Whether two rows cannot be in the table at once. */
export const sharesKey = (table: Shape, left: Row, right: Row): boolean =>
  table.keys.every((name) => isSame(fieldOf(table, name).kind, left[name], right[name]))

/** The owner of a row, if there is one. */
export const ownerOf = ({ owners }: Table, row: Row): Row | undefined =>
  owners.rows.find(({ id }) => isSame(fieldOf(owners, "id").kind, id, row["owner"]))

/** The notes of a row. */
export const notesOf = (table: Table, row: Row): ReadonlyArray<Row> =>
  table.notes.rows.filter((note) =>
    table.keys.every((name, index) => isSame(fieldOf(table, name).kind, note[`k${index}`], row[name]))
  )

/** A row as an item of a list: JSON is its value. */
export const shown = ({ fields }: Shape, row: Row): Readonly<Record<string, unknown>> => {
  const texts = fields.filter(({ kind }) => kind.column.kind === "json").map(({ name }) => name)
  const parsed = texts.map((name): [string, unknown] => [name, JSON.parse(String(row[name] ?? null))])
  return { ...row, ...Object.fromEntries(parsed) }
}

/** The entity, whose operands and items are values of the kinds. */
export const entityOf = ({ fields, keys, name, searched }: Shape): Entity.Entity => {
  const columns = Object.fromEntries(fields.map(({ kind, name, nullable }) => [name, { ...kind.column, nullable }]))
  const entity = {
    table: name,
    key: keys[0] ?? "",
    keys,
    columns,
    names: Object.keys(columns),
    schema: Schema.Struct({}),
    ...(searched.length > 0 && { search: fullTextIndex(name, { columns: searched }) })
  }
  const declared = { table: name, key: entity.key, search: searched.length > 0 }
  return erase({ ...entity, [identity]: identityOf(declared, entity) })
}

const dialectOf = ({ engine }: Shape) => (engine === "SQLite" ? sqlite : pg)

const run = (text: string, values: ReadonlyArray<unknown> = []) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(sql.unsafe(text, values)))

const createOne = (shape: Shape) =>
  Effect.gen(function* () {
    const { engine, fields, keys, name, withoutRowId } = shape
    const lines = fields.map(({ kind, name, nullable }) => `"${name}" ${kind.type}${nullable ? "" : " NOT NULL"}`)
    const suffix = engine === "SQLite" && withoutRowId ? " WITHOUT ROWID" : ""
    const key = keys.map((name) => `"${name}"`).join(", ")
    yield* run(`DROP TABLE IF EXISTS ${name}`)
    yield* run(`CREATE TABLE ${name} (${lines.join(", ")}, PRIMARY KEY (${key}))${suffix}`)
  })

/** Makes the tables anew. */
export const create = (table: Table) =>
  Effect.gen(function* () {
    const { engine, notes, owners, searched } = table
    if (engine === "SQLite") yield* run("DROP TABLE IF EXISTS model_search")
    yield* createOne(table)
    if (searched.length > 0) {
      for (const statement of FullText.statements(dialectOf(table), entityOf(table))) yield* run(statement)
    }
    for (const fixed of [owners, notes]) {
      yield* createOne(fixed)
      yield* insert(fixed, fixed.rows)
    }
  })

/** The types and collations that the kinds of an engine need. */
export const types = (engine: Engine) =>
  engine === "SQLite"
    ? Effect.void
    : Effect.zipRight(
        run("CREATE TYPE mood AS ENUM ('sad', 'glad', 'happy')"),
        run("CREATE COLLATION insensitive (provider = icu, locale = 'en-u-ks-level2', deterministic = false)")
      )

const written = (shape: Shape, names: ReadonlyArray<string>, row: Row): ReadonlyArray<unknown> =>
  names.map((name) => {
    const value = row[name] ?? null
    return value === null ? null : dialectOf(shape).write(value, fieldOf(shape, name).kind.column)
  })

const place = ({ engine }: Shape, index: number): string => (engine === "SQLite" ? "?" : `$${index + 1}`)

export const insert = (shape: Shape, rows: ReadonlyArray<Row>) => {
  const names = shape.fields.map(({ name }) => name)
  const line = (_: Row, index: number) =>
    `(${names.map((_, column) => place(shape, index * names.length + column)).join(", ")})`
  return rows.length === 0
    ? Effect.void
    : run(
        `INSERT INTO ${shape.name} (${names.map((name) => `"${name}"`).join(", ")}) VALUES ${rows.map(line).join(", ")}`,
        rows.flatMap((row) => written(shape, names, row))
      )
}

export const remove = (shape: Shape, row: Row) => {
  const isIt = shape.keys.map((name, index) => `"${name}" = ${place(shape, index)}`).join(" AND ")
  return run(`DELETE FROM ${shape.name} WHERE ${isIt}`, written(shape, shape.keys, row))
}
