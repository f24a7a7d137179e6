// The query parameters of a list as OpenAPI and as a schema describe them.
import { JSONSchema, Schema } from "effect"
import type { Column } from "../../Column.ts"
import type { Kind } from "../columns/ColumnKind.ts"
import * as ParameterValue from "./ParameterValue.ts"

/** A JSON Schema. */
type JsonSchema = Readonly<Record<string, unknown>>

/** A parameter object of OpenAPI 3. */
export interface OpenApiParameter {
  readonly name: string
  readonly in: "query"
  readonly required: false
  readonly description: string
  /** Where the schema is a list: its values with commas between them. */
  readonly style?: "form"
  readonly explode?: false
  readonly schema: JsonSchema
}

const schemas: Readonly<Record<Kind, JsonSchema>> = {
  text: { type: "string", maxLength: ParameterValue.maxLength },
  uuid: { type: "string", format: "uuid" },
  timestamp: { type: "string", format: "date-time" },
  integer: { type: "integer" },
  bigint: { type: "integer", format: "int64" },
  float: { type: "number" },
  boolean: { type: "boolean" },
  date: { type: "string", format: "date" },
  time: { type: "string", format: "time" },
  decimal: { type: "string", pattern: "^-?\\d+(\\.\\d+)?$" },
  bytes: { type: "string", format: "byte" },
  json: {}
}

/** The JSON Schema of a value of the column. */
export const ofColumn = (column: Column): JsonSchema => {
  const texts = ParameterValue.literals(column)
  return texts === undefined ? schemas[column.kind] : { type: "string", enum: texts }
}

/** The JSON Schema of the text that a schema reads; any text where it has none. */
export const ofSchema = <A>(schema: Schema.Schema<A, string>): JsonSchema => {
  try {
    const { $schema: _, ...rest } = JSONSchema.make(Schema.encodedBoundSchema(schema))
    return rest
  } catch {
    return { type: "string" }
  }
}

/** A parameter with one value. */
export const single = (name: string, description: string, schema: JsonSchema): OpenApiParameter => ({
  name,
  in: "query",
  required: false,
  description,
  schema
})

/** A parameter with several values. */
export const several = (
  name: string,
  description: string,
  items: JsonSchema,
  bounds: { readonly minItems?: number; readonly maxItems: number }
): OpenApiParameter => ({
  ...single(name, description, { type: "array", items, ...bounds }),
  style: "form",
  explode: false
})

/** The parameters as a schema of texts, each optional, with what OpenAPI says about them. */
export const struct = (
  parameters: ReadonlyArray<OpenApiParameter>
): Schema.Schema<Readonly<Record<string, string | undefined>>> => {
  const fields = parameters.map(({ description, name, schema }) => {
    const text = Schema.String.annotations({ description, jsonSchema: { ...schema, description } })
    return [name, Schema.optional(text)] as const
  })
  // A boundary: each field is an optional text.
  return Schema.Struct(Object.fromEntries(fields)) as unknown as Schema.Schema<
    Readonly<Record<string, string | undefined>>
  >
}
