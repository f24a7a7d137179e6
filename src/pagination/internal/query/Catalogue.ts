// A table as the database's catalogue describes it, and how an entity differs from it.
import type { Column } from "../../Column.ts"
import { integers, type Kind } from "../columns/ColumnKind.ts"
import { secondDigits } from "../columns/ColumnValue.ts"
import type * as EntityRow from "../columns/EntityRow.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import type { EntityMismatch } from "../../Entity.ts"

/** One point on which an entity and its table differ. */
export type Problem = EntityMismatch["problems"][number]

/** A column as it is in the database. */
export interface Found {
  readonly name: string
  /** The type as the database names it. */
  readonly type: string
  /** The kinds that read it without loss; `undefined` where the database does not know its type. */
  readonly kinds: ReadonlyArray<Kind> | undefined
  readonly nullable: boolean
  /** The value of a row that is added without one, where it matters. */
  readonly preset?: string | null
}

/** A table or a view. For a view the database knows neither keys nor which columns may be null. */
export interface Table {
  readonly isView: boolean
  readonly columns: ReadonlyArray<Found>
  /** The columns of each index that is unique by what the columns take for equal. */
  readonly uniques: ReadonlyArray<ReadonlyArray<string>>
}

const affinities: ReadonlyArray<readonly [RegExp, ReadonlyArray<Kind> | undefined]> = [
  [/INT/, ["integer", "bigint", "boolean", "decimal"]],
  [/CHAR|CLOB|TEXT/, ["text", "uuid", "timestamp", "date", "time", "json"]],
  [/BLOB/, ["bytes"]],
  [/REAL|FLOA|DOUB/, ["float"]],
  [/^$/, undefined],
  // NUMERIC, DECIMAL, BOOLEAN, DATETIME, UUID: text that looks like a number becomes one, other text stays as it is.
  [/(?:)/, ["integer", "bigint", "boolean", "float", "uuid", "timestamp", "date", "time", "decimal", "json"]]
]

/** The kinds that a SQLite type holds, by the rules of its affinity; `undefined` for an expression without a type. */
export const sqliteKinds = (type: string): ReadonlyArray<Kind> | undefined =>
  affinities.find(([pattern]) => pattern.test(type.toUpperCase()))?.[1]

const pgTypes: Readonly<Record<string, ReadonlyArray<Kind>>> = {
  int2: integers,
  int4: integers,
  int8: integers,
  float4: ["float"],
  float8: ["float"],
  bool: ["boolean"],
  uuid: ["uuid", "text"],
  timestamptz: ["timestamp", "text"],
  // Read as text they lose nothing, and the database compares them by their own type.
  ...Object.fromEntries(
    ["timetz", "timestamp", "interval", "inet", "cidr", "macaddr", "macaddr8"].map(
      (name): [string, ReadonlyArray<Kind>] => [name, ["text"]]
    )
  ),
  numeric: ["decimal", "text"],
  date: ["date", "text"],
  time: ["time", "text"],
  bytea: ["bytes"],
  json: ["json"],
  jsonb: ["json"]
}

/** The kinds that a PostgreSQL type holds, by its name and category; a domain goes by the type it is made of. */
export const pgKinds = (name: string, category: string): ReadonlyArray<Kind> => {
  if (Object.hasOwn(pgTypes, name)) return pgTypes[name] ?? []
  if (category === "S") return ["text", "uuid"]
  return category === "E" ? ["text"] : []
}

// The usual default of SQLite orders among other spellings by chance, and no filter finds it; nor one with other digits.
const spacedTime = /current_timestamp|datetime\s*\(/i
const digitsOf = (preset: string): number | undefined => {
  const [, second, zeros = ""] = /(%f|%S)(?:\.?(0*))Z/.exec(preset) ?? []
  return second === undefined ? undefined : (second === "%f" ? 3 : 0) + zeros.length
}

const otherSpelling = ({ scale = secondDigits }: Column, preset: string): string | undefined => {
  const digits = digitsOf(preset)
  const second = scale < 3 ? `%S${scale === 0 ? "" : `.${"0".repeat(scale)}`}` : `%f${"0".repeat(scale - 3)}`
  const use = `use (strftime('%Y-%m-%dT%H:%M:${second}Z', 'now'))`
  if (spacedTime.test(preset)) return `stores 2024-02-29 12:00:00: ${use}`
  return digits === undefined || digits === scale ? undefined : `stores ${digits} digits of a second: ${use}`
}

/** How the entity and its table differ: columns that are missing, of another type, unexpectedly nullable, or no key. */
export const problems = (entity: EntityRow.Any, table: Table): ReadonlyArray<Problem> => {
  const found = new Map(table.columns.map((column) => [column.name, column]))
  // What is unique by some of the columns is unique by all of them.
  const isUnique = table.uniques.some((names) => names.every((name) => entity.keys.includes(name)))
  const all = entity.names.flatMap((name): ReadonlyArray<Problem> => {
    const column = columnOf(entity, name)
    const { kind, nullable } = column
    const there = found.get(name)
    if (there === undefined) return [{ column: name, declared: kind, found: "no such column" }]
    if (there.kinds !== undefined && !there.kinds.includes(kind)) {
      return [{ column: name, declared: kind, found: there.type === "" ? "no type" : there.type }]
    }
    const other = kind === "timestamp" ? otherSpelling(column, there.preset ?? "") : undefined
    if (other !== undefined) {
      return [{ column: name, declared: kind, found: `${there.type} DEFAULT ${there.preset}, which ${other}` }]
    }
    if (table.isView) return []
    if (there.kinds === undefined) return [{ column: name, declared: kind, found: "no type" }]
    if (there.nullable && !nullable) {
      // SQLite lets a primary key hold null, and no cursor finds a row that has none.
      const hint = entity.keys.includes(name) ? ": add NOT NULL" : ""
      return [{ column: name, declared: `${kind}, never null`, found: `${there.type}, which may be null${hint}` }]
    }
    return name === entity.key && entity.keys.length === 1 && !isUnique
      ? [{ column: name, declared: "the key", found: `${there.type} without a unique index over it alone` }]
      : []
  })
  return all.length > 0 || table.isView || isUnique
    ? all
    : [{ column: entity.keys.join(", "), declared: "the key", found: "no unique index over these columns alone" }]
}
