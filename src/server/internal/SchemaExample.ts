// A value that a JSON Schema accepts, for the examples of an API document. Always the same value for the same schema.
import { Option } from "effect"
import { isRecord, type JsonSchema, listOf, nameOf } from "./ApiDocument.ts"

type Schemas = Readonly<Record<string, JsonSchema>>

const maxDepth = 8

const formats: Readonly<Record<string, string>> = {
  "date-time": "2026-01-31T12:00:00.000Z",
  date: "2026-01-31",
  time: "12:00:00Z",
  email: "ann@example.com",
  uuid: "4f1f4f0e-9e0c-4a3b-8d55-0d2b4a7c6e10",
  uri: "https://example.com/"
}

// Effect describes a text that a schema decodes by this sentence, and by nothing else.
const decodedText = /^a string to be decoded into an? (\w+)/

const decodedTexts: Readonly<Record<string, string>> = {
  number: "1",
  bigint: "1",
  BigDecimal: "1",
  boolean: "true",
  Date: "2026-01-31T12:00:00.000Z",
  DateTime: "2026-01-31T12:00:00.000Z"
}

const numberOf = (value: unknown): number | undefined => (typeof value === "number" ? value : undefined)

const text = (schema: JsonSchema): Option.Option<string> => {
  const { allOf, format, maxLength, minLength, pattern } = schema
  // No text can be made from a pattern without a search: the program states an example of it.
  if (pattern !== undefined || allOf !== undefined) return Option.none()
  const decoded = decodedText.exec(String(schema["description"] ?? ""))?.[1]
  if (decoded !== undefined) return Option.fromNullable(decodedTexts[decoded])
  const known = typeof format === "string" ? formats[format] : "text"
  if (known === undefined) return Option.none()
  const [min, max] = [numberOf(minLength) ?? 0, numberOf(maxLength) ?? Infinity]
  if (format !== undefined) return known.length < min || known.length > max ? Option.none() : Option.some(known)
  return Option.some(known.padEnd(min, "text").slice(0, max))
}

const number = (schema: JsonSchema, isWhole: boolean): Option.Option<number> => {
  if (schema["allOf"] !== undefined) return Option.none()
  const least = numberOf(schema["minimum"])
  const above = numberOf(schema["exclusiveMinimum"])
  const most = numberOf(schema["maximum"])
  const below = numberOf(schema["exclusiveMaximum"])
  const step = numberOf(schema["multipleOf"]) ?? 1
  const isValid = (value: number) =>
    value >= (least ?? -Infinity) &&
    value > (above ?? -Infinity) &&
    value <= (most ?? Infinity) &&
    value < (below ?? Infinity) &&
    (schema["multipleOf"] === undefined || Number.isInteger(value / step)) &&
    (!isWhole || Number.isInteger(value))
  const candidates = [step, 0, least, most, (above ?? 0) + step, (below ?? 0) - step, Math.ceil(least ?? 0)]
  const between = ((least ?? above ?? 0) + (most ?? below ?? 0)) / 2
  return Option.fromNullable([...candidates, between].find((value) => value !== undefined && isValid(value)))
}

const array = (schema: JsonSchema, schemas: Schemas, depth: number): Option.Option<ReadonlyArray<unknown>> => {
  const least = numberOf(schema["minItems"]) ?? 0
  const first = listOf(schema["prefixItems"]).map((item) => (isRecord(item) ? make(item, schemas, depth + 1) : unknown))
  const rest = isRecord(schema["items"]) ? make(schema["items"], schemas, depth + 1) : Option.none()
  const items = [...first]
  const most = numberOf(schema["maxItems"]) ?? Infinity
  while (items.length < Math.min(most, Math.max(least, 1)) && (Option.isSome(rest) || items.length < least)) {
    items.push(rest)
  }
  const made = Option.all(items)
  return Option.isSome(made) && schema["uniqueItems"] === true && items.length > 1 ? Option.none() : made
}

const object = (schema: JsonSchema, schemas: Schemas, depth: number): Option.Option<unknown> => {
  const made: Record<string, unknown> = {}
  const required = new Set(listOf(schema["required"]))
  const properties = isRecord(schema["properties"]) ? schema["properties"] : {}
  for (const [name, property] of Object.entries(properties)) {
    const value = isRecord(property) ? make(property, schemas, depth + 1) : unknown
    if (Option.isSome(value)) made[name] = value.value
    else if (required.has(name)) return Option.none()
  }
  return Option.some(made)
}

const unknown: Option.Option<unknown> = Option.some("text")

const byType = (schema: JsonSchema, schemas: Schemas, depth: number): Option.Option<unknown> => {
  switch (schema["type"]) {
    case "string":
      return text(schema)
    case "integer":
      return number(schema, true)
    case "number":
      return number(schema, false)
    case "boolean":
      return Option.some(true)
    case "null":
      return Option.some(null)
    case "array":
      return array(schema, schemas, depth)
    case "object":
      return object(schema, schemas, depth)
    case undefined:
      return schema["not"] === undefined && schema["allOf"] === undefined ? unknown : Option.none()
    default:
      return Option.none()
  }
}

/** An example; `None` where none can be made, as for a pattern. */
export const make = (schema: JsonSchema, schemas: Schemas, depth = 0): Option.Option<unknown> => {
  if (depth > maxDepth) return Option.none()
  const { $ref: reference, ...rest } = schema
  if (typeof reference === "string") {
    const target = schemas[nameOf(reference)]
    return target === undefined ? Option.none() : make({ ...target, ...rest }, schemas, depth + 1)
  }
  const stated = [...listOf(schema["examples"]), schema["default"], schema["const"], ...listOf(schema["enum"])]
  const first = stated.find((value) => value !== undefined)
  if (first !== undefined) return Option.some(first)
  const members = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])].filter(isRecord)
  if (members.length === 0) return byType(schema, schemas, depth)
  return Option.firstSomeOf(members.map((member) => make(member, schemas, depth + 1)))
}
