// The documents that Effect makes of several APIs, joined to one. What is not right in them is corrected here.
import { type HttpApi, type HttpApiGroup, OpenApi } from "@effect/platform"
import * as Document from "../../../src/server/internal/ApiDocument.ts"

const { nameOf } = Document

/** An `HttpApi` of any groups. */
export type AnyApi = HttpApi.HttpApi.Any

// A boundary of the type system: no type of Effect is that of every API.
type Whole = HttpApi.HttpApi<string, HttpApiGroup.HttpApiGroup.Any, never, never>

interface Spec extends Omit<Document.ApiDocument, "components"> {
  readonly security: ReadonlyArray<Document.Requirement>
  readonly components: Pick<Document.Components, "schemas" | "securitySchemes">
}

/** The parts of the joined document. */
export interface Joined {
  readonly info: Document.ApiDocument["info"]
  readonly servers: ReadonlyArray<Document.Server> | undefined
  readonly tags: Map<string, Document.Tag>
  readonly paths: Map<string, Map<string, Document.Operation>>
  readonly schemas: Map<string, Document.JsonSchema>
  readonly securitySchemes: Map<string, Document.SecurityScheme>
}

const prefix = "#/components/schemas/"

// Effect names the schema of `unknown` and of other keywords by a path that leads nowhere.
const isOwnId = (name: string, value: unknown): boolean =>
  name === "$id" && typeof value === "string" && value.startsWith("/schemas/")

const renamed = (value: unknown, names: ReadonlyMap<string, string>): unknown => {
  if (Array.isArray(value)) return value.map((item) => renamed(item, names))
  if (typeof value !== "object" || value === null) return value
  const entries = Object.entries(value).filter(([name, part]) => !isOwnId(name, part))
  return Object.fromEntries(
    entries.map(([name, part]) => {
      const isSchema = name === "$ref" && typeof part === "string" && part.startsWith(prefix)
      return [name, isSchema ? prefix + (names.get(nameOf(part)) ?? nameOf(part)) : renamed(part, names)]
    })
  )
}

const unusedName = (name: string, isTaken: (name: string) => boolean): string => {
  let number = 2
  while (isTaken(`${name}${number}`)) number++
  return `${name}${number}`
}

// => TooManyRequests   of `effect-framework/auth/TooManyRequests`: OpenAPI allows no slash in a name
const plainName = (name: string): string => name.slice(name.lastIndexOf("/") + 1).replace(/[^\w.-]/g, "_") || "Schema"

// Two APIs, or two parts of one, may have different schemas of one name.
const namesOf = (spec: Spec, taken: ReadonlyMap<string, Document.JsonSchema>): ReadonlyMap<string, string> => {
  const all = Object.entries(spec.components.schemas)
  const plain = new Map(all.map(([name]) => [name, plainName(name)]))
  const names = new Map<string, string>()
  const used = new Set<string>()
  for (const [name, schema] of all) {
    const wanted = plain.get(name) ?? name
    const other = taken.get(wanted)
    const isSame = other === undefined || JSON.stringify(other) === JSON.stringify(renamed(schema, plain))
    const chosen = isSame && !used.has(wanted) ? wanted : unusedName(wanted, (one) => taken.has(one) || used.has(one))
    names.set(name, chosen)
    used.add(chosen)
  }
  return names
}

// Effect writes `security: []` for an operation whose guard is that of the whole API: that means that it is open.
const security = (whole: Spec["security"], own: Spec["security"]): ReadonlyArray<Document.Requirement> => {
  if (whole.length === 0 || own.length === 0) return own.length === 0 ? whole : own
  return whole.flatMap((outer) => own.map((inner) => ({ ...outer, ...inner })))
}

const required = (one: Document.Parameter): Document.Parameter => (one.in === "path" ? { ...one, required: true } : one)

const parameters = (all: ReadonlyArray<Document.Parameter>): ReadonlyArray<Document.Parameter> => {
  const unique = new Map(all.map((one) => [`${one.in} ${one.name.toLowerCase()}`, one]))
  return Array.from(unique.values(), required)
}

const specOf = (api: AnyApi, taken: ReadonlyMap<string, Document.JsonSchema>): Spec => {
  // A boundary: the document as JSON. Effect keeps its own and must not see ours.
  const spec = JSON.parse(JSON.stringify(OpenApi.fromApi(api as Whole))) as Spec
  const names = namesOf(spec, taken)
  const { components, paths, ...rest } = spec
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [names.get(name) ?? name, schema])
  return renamed({ ...rest, paths, components: { ...components, schemas: Object.fromEntries(schemas) } }, names) as Spec
}

/** Joins the APIs. The schemas of the server itself have their names first. */
export const join = (apis: ReadonlyArray<AnyApi>, own: Readonly<Record<string, Document.JsonSchema>>): Joined => {
  const schemas = new Map(Object.entries(own))
  const specs: Array<Spec> = []
  const joined = { tags: new Map(), paths: new Map(), securitySchemes: new Map() }
  const { paths, securitySchemes, tags }: Pick<Joined, "tags" | "paths" | "securitySchemes"> = joined
  const ids = new Set<string>()
  for (const api of apis) {
    const spec = specOf(api, schemas)
    specs.push(spec)
    for (const [name, schema] of Object.entries(spec.components.schemas)) schemas.set(name, schema)
    for (const [name, scheme] of Object.entries(spec.components.securitySchemes)) securitySchemes.set(name, scheme)
    for (const tag of spec.tags) if (!tags.has(tag.name)) tags.set(tag.name, tag)
    for (const [path, methods] of Object.entries(spec.paths)) {
      const known = paths.get(path) ?? new Map<string, Document.Operation>()
      paths.set(path, known)
      for (const [method, operation] of Object.entries(methods)) {
        const name = operation.operationId ?? `${method} ${path}`
        const operationId = ids.has(name) ? unusedName(name, (one) => ids.has(one)) : name
        ids.add(operationId)
        known.set(method, {
          ...operation,
          operationId,
          parameters: parameters(operation.parameters ?? []),
          security: security(spec.security, operation.security ?? [])
        })
      }
    }
  }
  const [first] = specs
  return {
    info: first?.info ?? { title: "API", version: "0.0.1" },
    servers: first?.servers,
    tags,
    paths,
    schemas,
    securitySchemes
  }
}
