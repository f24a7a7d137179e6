// The filters of a list as a client writes them: a text for each parameter.
import { Either, Schema } from "effect"
import type { Column, Columns } from "../../Column.ts"
import type { Scalar } from "../columns/ColumnKind.ts"
import type { Entity } from "../../Entity.ts"
import { columnOf, erase } from "../columns/EntityColumns.ts"
import type * as EntityRow from "../columns/EntityRow.ts"
import * as FullText from "../query/FullText.ts"
import { InvalidParameter } from "../../InvalidParameter.ts"
import * as ParameterSchema from "./ParameterSchema.ts"
import * as ParameterValue from "./ParameterValue.ts"
import { escapePattern, from, type Selection } from "../../Selection.ts"
import type { Comparison } from "../query/SelectionParts.ts"
import { misdeclared } from "../Misdeclared.ts"

/** How a parameter is compared with its column. */
export type Operator = Comparison | "in" | "between" | "isNull" | "contains" | "startsWith"

/** Values of a parameter that takes several. */
const maxValues = 100

/** Characters of a search, by default. */
const maxSearchLength = 100

/** Reads one parameter. */
export interface Reader<C extends Columns, D extends EntityRow.Declared> {
  readonly apply: (selection: Selection<C, D>, text: string) => Either.Either<Selection<C, D>, InvalidParameter>
  readonly openApi: ParameterSchema.OpenApiParameter
}

/** The condition of a parameter, on an entity that does not know the types of its columns. */
export interface Condition {
  readonly apply: (text: string) => Either.Either<Selection<Columns>, InvalidParameter>
  readonly openApi: ParameterSchema.OpenApiParameter
}

type Refusal = Omit<ConstructorParameters<typeof InvalidParameter>[0], "parameter">

const tooLong = (most: number): Refusal => ({ problem: "long", expected: `at most ${most} characters long` })

const plain: Refusal = { problem: "value", expected: "a text without control characters" }

const words: Readonly<Record<Operator, string>> = {
  equal: "Rows whose {} is this one.",
  unequal: "Rows whose {} is another one.",
  less: "Rows whose {} is less.",
  lessOrEqual: "Rows whose {} is not greater.",
  greater: "Rows whose {} is greater.",
  greaterOrEqual: "Rows whose {} is not less.",
  in: "Rows whose {} is one of these.",
  between: "Rows whose {} is from the first to the second value.",
  isNull: "Rows without {}, or with it.",
  contains: "Rows whose {} contains this text, whatever its case.",
  startsWith: "Rows whose {} starts with this text, whatever its case."
}

/** A filter on a column. */
export const ofColumn = (
  entity: EntityRow.Any,
  name: string,
  column: string,
  operator: Operator = "equal"
): Condition => {
  const declared = columnOf(entity, column)
  if (declared.kind === "json") throw misdeclared(`"${column}" holds JSON, which is not compared`)
  const isPattern = operator === "contains" || operator === "startsWith"
  if (isPattern && declared.kind !== "text") throw misdeclared(`"${column}" is not a text, which "${operator}" needs`)
  const all = from(erase(entity))
  const read = (text: string): Selection<Columns> | Refusal => {
    const isList = operator === "in" || operator === "between"
    if (!isList && text.length > ParameterValue.maxLength) return tooLong(ParameterValue.maxLength)
    if (!ParameterValue.isPlain(text)) return plain
    const expected = describe(declared, operator)
    switch (operator) {
      case "contains":
        return all.match(column, "insensitive", `%${escapePattern(text)}%`)
      case "startsWith":
        return all.match(column, "insensitive", `${escapePattern(text)}%`)
      case "isNull":
        if (text !== "true" && text !== "false") return { problem: "value", expected }
        return all.filter(column, text === "true" ? "isNull" : "isNotNull")
      case "in":
      case "between": {
        const values = valuesOf(declared, text)
        const [low, high] = values ?? []
        if (values === undefined || values.length > maxValues) return { problem: "value", expected }
        if (operator === "in") return all.filter(column, "in", values)
        if (low === undefined || high === undefined || values.length > 2) return { problem: "value", expected }
        return all.filter(column, "between", [low, high])
      }
      default: {
        const value = ParameterValue.parse(declared, text)
        return value === undefined ? { problem: "value", expected } : all.filter(column, operator, value)
      }
    }
  }
  return {
    apply: (text) => {
      const found = read(text)
      return "problem" in found ? Either.left(new InvalidParameter({ parameter: name, ...found })) : Either.right(found)
    },
    openApi: document(name, words[operator].replace("{}", column), declared, operator)
  }
}

const valuesOf = (column: Column, list: string): ReadonlyArray<Scalar> | undefined => {
  const values: Array<Scalar> = []
  for (const part of list.split(",", maxValues + 1)) {
    const text = part.trim()
    const value = text.length > ParameterValue.maxLength ? undefined : ParameterValue.parse(column, text)
    if (value === undefined) return undefined
    values.push(value)
  }
  return values
}

const describe = (column: Column, operator: Operator): string => {
  const one = ParameterValue.describe(column)
  if (operator === "isNull") return "true or false"
  if (operator === "in") return `at most ${maxValues} values with commas between them, each ${one}`
  return operator === "between" ? `two values with a comma between them, each ${one}` : one
}

const document = (name: string, description: string, column: Column, operator: Operator) => {
  if (operator === "isNull") return ParameterSchema.single(name, description, { type: "boolean" })
  const schema = ParameterSchema.ofColumn(column)
  if (operator === "in") return ParameterSchema.several(name, description, schema, { maxItems: maxValues })
  if (operator === "between") return ParameterSchema.several(name, description, schema, { minItems: 2, maxItems: 2 })
  return ParameterSchema.single(name, description, schema)
}

/** A condition of the program's own, whose value a schema reads. */
export const ofSchema = <C extends Columns, D extends EntityRow.Declared, A>(
  name: string,
  schema: Schema.Schema<A, string>,
  where: (value: A, selection: Selection<C, D>) => Selection<C, D>
): Reader<C, D> => {
  const decode = Schema.decodeUnknownEither(schema)
  const openApi = ParameterSchema.ofSchema(schema)
  const expected = typeof openApi["description"] === "string" ? openApi["description"] : "a value that the list takes"
  const refuse = (refusal: Refusal) => Either.left(new InvalidParameter({ parameter: name, ...refusal }))
  return {
    apply: (selection, text) => {
      if (text.length > ParameterValue.maxLength) return refuse(tooLong(ParameterValue.maxLength))
      if (!ParameterValue.isPlain(text)) return refuse(plain)
      const value = decode(text)
      return Either.isLeft(value) ? refuse({ problem: "value", expected }) : Either.right(where(value.right, selection))
    },
    openApi: ParameterSchema.single(name, expected, openApi)
  }
}

// A list has one search, as the parameter `q`.
const searching = (description: string, maxLength: number, find: (text: string) => Selection<Columns>): Condition => {
  const refuse = (refusal: Refusal) => Either.left(new InvalidParameter({ parameter: "q", ...refusal }))
  return {
    apply: (text) => {
      if (text.length > maxLength) return refuse(tooLong(maxLength))
      return ParameterValue.isPlain(text) ? Either.right(find(text)) : refuse(plain)
    },
    openApi: ParameterSchema.single("q", description, { type: "string", maxLength })
  }
}

/** The search for words in the full-text index of the entity. */
export const fullText = (entity: EntityRow.Any, maxLength = maxSearchLength): Condition => {
  const all = from(erase(entity))
  const { columns } = FullText.indexOf(entity)
  if (maxLength > FullText.maxLength) throw misdeclared(`a search has at most ${FullText.maxLength} characters`)
  return searching(`Rows with all these words in ${columns.join(" or ")}.`, maxLength, (text) => all.search(text))
}

/** The search for a text in at least one of these columns. */
export const search = <C extends Columns>(
  entity: Entity<C>,
  columns: ReadonlyArray<string>,
  maxLength = maxSearchLength
): Condition => {
  const all = from(erase(entity))
  const [first, ...others] = columns
  return searching(`Rows with this text in ${columns.join(" or ")}, whatever its case.`, maxLength, (text) => {
    const pattern = `%${escapePattern(text)}%`
    return first !== undefined && others.length === 0
      ? all.match(first, "insensitive", pattern)
      : all.anyOf(...columns.map((column) => (list: typeof all) => list.match(column, "insensitive", pattern)))
  })
}
