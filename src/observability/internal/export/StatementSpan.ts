// The span of a statement as OpenTelemetry's conventions for databases have it. Effect's SQL client calls every one
// `sql.execute`, with the text as it was sent.
import * as FailedStatement from "../../../errors/internal/FailedStatement.ts"

const texts = ["db.query.text", "db.statement"]

const skipped = /--[^\n]*|\/\*[\s\S]*?\*\//g
const word = /^\s*\(*\s*([a-z]+)/i
// The statement behind common table expressions: the first verb that no parentheses enclose.
const verbs = /\b(select|insert|update|delete|merge)\b/gi

const depthAt = (text: string, end: number): number => {
  let depth = 0
  for (let at = 0; at < end; at++) depth += text[at] === "(" ? 1 : text[at] === ")" ? -1 : 0
  return depth
}

const mainOf = (text: string): string => {
  if (word.exec(text)?.[1]?.toLowerCase() !== "with") return text
  for (const { index } of text.matchAll(verbs)) if (depthAt(text, index) === 0) return text.slice(index)
  return text
}

const name = String.raw`((?:"[^"]+"|[\w$]+)(?:\.(?:"[^"]+"|[\w$]+))?)`
const targets: Readonly<Record<string, RegExp>> = {
  select: new RegExp(String.raw`\bfrom\s+${name}`, "i"),
  delete: new RegExp(String.raw`\bfrom\s+${name}`, "i"),
  insert: new RegExp(String.raw`\binto\s+${name}`, "i"),
  merge: new RegExp(String.raw`\binto\s+${name}`, "i"),
  update: new RegExp(String.raw`^\s*update\s+(?:only\s+|or\s+\w+\s+)?${name}`, "i")
}

/** The operation of a statement without literals, and the first table that it names. */
const target = (given: string): { readonly operation: string; readonly table: string | undefined } | undefined => {
  const text = mainOf(given.replaceAll(skipped, " "))
  const operation = word.exec(text)?.[1]?.toLowerCase()
  if (operation === undefined) return undefined
  const table = targets[operation]?.exec(text)?.[1]?.replaceAll('"', "")
  return { operation: operation.toUpperCase(), table }
}

interface Named {
  readonly name: string
  readonly attributes: ReadonlyMap<string, unknown>
}

/** => `SELECT users`, with the text of the statement without its literals; any other span as it is. */
export const of = (span: Named): Named => {
  const key = texts.find((name) => typeof span.attributes.get(name) === "string")
  if (key === undefined) return span
  const text = FailedStatement.withoutLiterals(String(span.attributes.get(key)))
  const found = target(text)
  const attributes = new Map(span.attributes).set(key, text)
  if (found === undefined) return { name: span.name, attributes }
  attributes.set("db.operation.name", found.operation)
  if (found.table === undefined) return { name: found.operation, attributes }
  return { name: `${found.operation} ${found.table}`, attributes: attributes.set("db.collection.name", found.table) }
}
