// The operand of a filter, a pattern or a position: checked where it is given, so that none is missing later.
import type * as ColumnKind from "../columns/ColumnKind.ts"
import { encode, isScalar } from "../columns/ColumnValue.ts"
import type * as EntityRow from "../columns/EntityRow.ts"
import { columnOf } from "../columns/EntityColumns.ts"
import * as FullText from "./FullText.ts"
import { InvalidOperand } from "../../Column.ts"

const describe = (value: unknown): string => {
  if (value === undefined || value === null) return String(value)
  if (Array.isArray(value)) return `a list of ${value.length}`
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}

const types: Readonly<Record<ColumnKind.Kind, ReadonlySet<string>>> = {
  text: new Set(["string"]),
  uuid: new Set(["string"]),
  timestamp: new Set(["string"]),
  integer: new Set(["number", "bigint"]),
  bigint: new Set(["bigint", "number"]),
  float: new Set(["number"]),
  boolean: new Set(["boolean"]),
  date: new Set(["string"]),
  time: new Set(["string"]),
  decimal: new Set(["string"]),
  bytes: new Set(["string"]),
  json: new Set()
}

/** The operand of one value; throws `InvalidOperand` when it is missing or of another type than the column. */
export const one = (entity: EntityRow.Any, column: string, operator: string, operand: unknown): ColumnKind.Scalar => {
  const declared = columnOf(entity, column)
  const value = encode(declared, operand)
  if (!isScalar(value) || !types[declared.kind].has(typeof value)) {
    const expected = declared.decodes ? "a value of its schema" : `a value of kind ${declared.kind}`
    throw new InvalidOperand({ table: entity.table, column, operator, expected, given: describe(operand) })
  }
  return value
}

const list = (
  entity: EntityRow.Any,
  column: string,
  operator: string,
  operand: unknown,
  size?: number
): ReadonlyArray<ColumnKind.Scalar> => {
  if (!Array.isArray(operand) || (size !== undefined && operand.length !== size)) {
    const expected = size === undefined ? "a list of values" : `a list of ${size} values`
    throw new InvalidOperand({ table: entity.table, column, operator, expected, given: describe(operand) })
  }
  // A copy: a list that grows later would have more values than its statement has places. A hole is read as undefined.
  return Array.from(operand, (value: unknown) => one(entity, column, operator, value))
}

type Check = (
  entity: EntityRow.Any,
  column: string,
  operator: string,
  operand: unknown
) => ReadonlyArray<ColumnKind.Scalar>

const none: Check = (entity, column, operator, operand) => {
  if (operand === undefined) return []
  const given = describe(operand)
  throw new InvalidOperand({ table: entity.table, column, operator, expected: "no operand", given })
}

const ofBoolean: Check = (entity, column, operator, operand) => {
  const { kind } = columnOf(entity, column)
  if (kind === "boolean") return none(entity, column, operator, operand)
  const facts = { table: entity.table, column, operator, expected: "a column of kind boolean" }
  throw new InvalidOperand({ ...facts, given: `one of kind ${kind}` })
}

const single: Check = (entity, column, operator, operand) => [one(entity, column, operator, operand)]

const checks: Readonly<Record<string, Check>> = {
  equal: single,
  unequal: single,
  less: single,
  lessOrEqual: single,
  greater: single,
  greaterOrEqual: single,
  between: (entity, column, operator, operand) => list(entity, column, operator, operand, 2),
  in: list,
  isNull: none,
  isNotNull: none,
  isTrue: ofBoolean,
  isFalse: ofBoolean
}

/** The values of a filter, as many as its operator has places; throws `InvalidOperand` otherwise. */
export const values: Check = (entity, column, operator, operand) => {
  const check = Object.hasOwn(checks, operator) ? checks[operator] : undefined
  if (check !== undefined) return check(entity, column, operator, operand)
  const expected = `one of the operators ${Object.keys(checks).join(", ")}`
  throw new InvalidOperand({ table: entity.table, column, operator: String(operator), expected, given: "none of them" })
}

/** The pattern of a match; throws `InvalidOperand` for anything but a text, and for a column of another kind. */
export const pattern = (entity: EntityRow.Any, column: string, given: unknown): string => {
  const { kind } = columnOf(entity, column)
  if (typeof given === "string" && kind === "text") return given
  const facts = { table: entity.table, column, operator: "match", expected: "a pattern for a column of kind text" }
  throw new InvalidOperand({ ...facts, given: `${describe(given)} for one of kind ${kind}` })
}

/** The text of a search; throws `InvalidOperand` for anything else, and a `TypeError` without a full-text index. */
export const searched = (entity: EntityRow.Any, given: unknown): string => {
  const column = FullText.indexOf(entity).columns.join(", ")
  if (typeof given === "string") return given
  const facts = { table: entity.table, column, operator: "search", expected: "a text" }
  throw new InvalidOperand({ ...facts, given: describe(given) })
}

/** The pattern, closed when it ends in the middle of an escape, on which PostgreSQL fails. */
export const closePattern = (pattern: string): string => {
  let start = pattern.length
  while (pattern[start - 1] === "\\") start--
  return (pattern.length - start) % 2 === 1 ? `${pattern}\\` : pattern
}
