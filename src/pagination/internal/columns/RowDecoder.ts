// Rows as the types of their schemas: brands and transformations of a column apply after the row was read.
import { Either, Schema } from "effect"
import { ForeignValue } from "../../Column.ts"
import { columnOf } from "./EntityColumns.ts"
import type { Any } from "./EntityRow.ts"

type Row = Readonly<Record<string, unknown>>

/** Decodes a row that was read column by column. Throws a `ForeignValue` for one that the schema refuses. */
export type RowDecoder = (row: Row) => Row

/** The decoder of an entity's rows; `undefined` when every column has the type of its kind. */
export const make = (entity: Any): RowDecoder | undefined => {
  const fields = entity.names
    .filter((name) => columnOf(entity, name).decodes)
    .map((name) => {
      const { kind, schema } = columnOf(entity, name)
      return {
        name,
        kind: `${kind} that its schema accepts`,
        decode: Schema.decodeUnknownEither(Schema.make(schema.ast))
      }
    })
  if (fields.length === 0) return undefined
  return (row) => {
    const decoded: Record<string, unknown> = { ...row }
    for (const { decode, kind, name } of fields) {
      const value = row[name]
      // A 64-bit integer is a string on the encoded side.
      const result = decode(typeof value === "bigint" ? value.toString() : value)
      if (Either.isLeft(result)) throw new ForeignValue({ table: entity.table, column: name, kind })
      decoded[name] = result.right
    }
    return decoded
  }
}

/** Related entities by the names under which rows carry them, and those that are related to them. */
interface Related {
  readonly [name: string]: { readonly target: Any; readonly relations?: Related }
}

/** The decoder of an entity's rows and of the related rows that they carry by name. */
export const withRelations = (entity: Any, relations: Related): RowDecoder | undefined => {
  const own = make(entity)
  const related = Object.entries(relations).flatMap(([name, { relations: nested = {}, target }]) => {
    const decode = withRelations(target, nested)
    return decode === undefined ? [] : [[name, decode] as const]
  })
  if (related.length === 0) return own
  return (row) => {
    const decoded: Record<string, unknown> = { ...(own === undefined ? row : own(row)) }
    for (const [name, decode] of related) decoded[name] = decodeRelated(decode, row[name])
    return decoded
  }
}

const isRow = (value: unknown): value is Row => typeof value === "object" && value !== null

const decodeRelated = (decode: RowDecoder, value: unknown): unknown => {
  const each = (row: unknown): unknown => (isRow(row) ? Object.freeze(decode(row)) : row)
  return Array.isArray(value) ? Object.freeze(value.map(each)) : each(value)
}
