// What the OpenAPI document says about a list: its query parameters and the headers of its response.
import { Predicate, Schema } from "effect"
import * as PageLimits from "../../../src/pagination/internal/PageLimits.ts"
import type { OpenApiParameter } from "../../../src/pagination/internal/parameters/ParameterSchema.ts"

const count = (description: string) =>
  Schema.transform(Schema.String, Schema.Number, {
    strict: true,
    // As for every list: what is no number of rows counts as absent.
    decode: (text) => (/^\d{1,15}$/.test(text) ? Number(text) : 0),
    encode: String
  }).annotations({ description, jsonSchema: { type: "integer", minimum: 1, description } })

const text = (description: string) =>
  Schema.String.annotations({ description, jsonSchema: { type: "string", description } })

const own = {
  page: Schema.optional(count("The page, from 1. Without a page and a cursor it is the first.")),
  limit: Schema.optional(count(`Rows of a part; ${PageLimits.defaultLimit} unless the list says otherwise.`)),
  cursor: Schema.optional(text("The rows after this cursor, from `next`; empty for the first rows."))
}

const before = {
  before: Schema.optional(text("The rows before this cursor, from `previous`; empty for the last rows."))
}

/** The query parameters of a list, as texts on the wire. */
export const query = (parameters: ReadonlyArray<OpenApiParameter>, bidirectional: boolean) => {
  const chosen = parameters.map(({ description, name, schema }) => {
    const value = Schema.String.annotations({ description, jsonSchema: { ...schema, description } })
    return [name, Schema.optional(value)] as const
  })
  return Schema.Struct({ ...own, ...(bidirectional && before), ...Object.fromEntries(chosen) })
}

const headers = {
  Link: {
    description:
      'The URLs of the neighbours of this part, with rel="next" and rel="prev"; absent where there are none.',
    schema: { type: "string" }
  },
  "X-Total-Count": {
    description: "The number of all rows; absent in cursor mode and where they are not counted exactly.",
    schema: { type: "integer", minimum: 0 }
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => Predicate.isRecord(value)

/** The operation of a list, with the headers of its successful response. */
export const withHeaders = (operation: Readonly<Record<string, unknown>>): Record<string, unknown> => {
  const { responses } = operation
  if (!isRecord(responses) || !isRecord(responses["200"])) return { ...operation }
  return { ...operation, responses: { ...responses, "200": { ...responses["200"], headers } } }
}
