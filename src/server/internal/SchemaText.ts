// A JSON Schema as a person reads it: the notation of types, with what limits a value as a comment.
import { isRecord, type JsonSchema, listOf, nameOf } from "./ApiDocument.ts"

const maxDepth = 12

const limits = [
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems"
]

// A comment is one line, whatever a program writes in a description.
const oneLine = (text: string): string => text.replace(/\s+/g, " ").trim()

const remarkOf = (schema: JsonSchema): string => {
  const stated = limits.flatMap((name) => {
    const value = schema[name]
    return typeof value === "string" || typeof value === "number" ? [`${name} ${value}`] : []
  })
  const { description } = schema
  return oneLine([...(typeof description === "string" ? [description] : []), ...stated].join("; "))
}

const nameText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const object = (schema: JsonSchema, depth: number): string => {
  const required = new Set(listOf(schema["required"]))
  const properties = isRecord(schema["properties"]) ? Object.entries(schema["properties"]) : []
  const margin = "  ".repeat(depth + 1)
  const lines = properties.map(([name, property]) => {
    const part = isRecord(property) ? property : {}
    const remark = remarkOf(part)
    const mark = required.has(name) ? "" : "?"
    return `${margin}${nameText(name)}${mark}: ${print(part, depth + 1)}${remark === "" ? "" : ` // ${remark}`}`
  })
  const others = schema["additionalProperties"]
  if (isRecord(others)) lines.push(`${margin}[name: string]: ${print(others, depth + 1)}`)
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n${"  ".repeat(depth)}}`
}

const array = (schema: JsonSchema, depth: number): string => {
  const first = listOf(schema["prefixItems"]).filter(isRecord)
  if (first.length > 0) return `[${first.map((item) => print(item, depth)).join(", ")}]`
  return `Array<${isRecord(schema["items"]) ? print(schema["items"], depth) : "unknown"}>`
}

const print = (schema: JsonSchema, depth: number): string => {
  if (depth > maxDepth) return "…"
  if (typeof schema["$ref"] === "string") return nameOf(schema["$ref"])
  if ("const" in schema) return JSON.stringify(schema["const"])
  const choices = listOf(schema["enum"])
  if (choices.length > 0) return choices.map((choice) => JSON.stringify(choice)).join(" | ")
  const members = [...listOf(schema["anyOf"]), ...listOf(schema["oneOf"])].filter(isRecord)
  if (members.length > 0) return [...new Set(members.map((member) => print(member, depth)))].join(" | ")
  switch (schema["type"]) {
    case "object":
      return object(schema, depth)
    case "array":
      return array(schema, depth)
    default:
      return typeof schema["type"] === "string" ? schema["type"] : "unknown"
  }
}

/** The type of a value that the schema accepts. A schema that has a name stands for itself by that name. */
export const typeText = (schema: JsonSchema): string => print(schema, 0)

/** What limits the value, in one line; empty where nothing does. */
export const remark = remarkOf
