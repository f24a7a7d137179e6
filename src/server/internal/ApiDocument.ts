// The parts of an OpenAPI 3.1 document that this framework reads and writes.

/** A JSON Schema. */
export interface JsonSchema {
  readonly [keyword: string]: unknown
}

/** Whether a value is an object of JSON, as each schema in a document is. */
export const isRecord = (value: unknown): value is JsonSchema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The items of a list in a document; none where it is missing. */
export const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** A body of one content type. */
interface MediaType {
  readonly schema?: JsonSchema
  readonly example?: unknown
}

/** A body by content type. */
export type Content = Readonly<Record<string, MediaType>>

/** A header of a response. */
export interface Header {
  readonly description?: string
  readonly schema: JsonSchema
}

/** A part of the document that is written elsewhere in it. */
export interface Reference {
  readonly $ref: string
}

export interface Response {
  readonly description: string
  readonly headers?: Readonly<Record<string, Header | Reference>>
  readonly content?: Content
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header" | "cookie"
  readonly required?: boolean
  readonly description?: string
  readonly schema?: JsonSchema
  readonly example?: unknown
}

/** The schemes of which all are needed, by name. */
export type Requirement = Readonly<Record<string, ReadonlyArray<string>>>

export interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly deprecated?: boolean
  readonly tags?: ReadonlyArray<string>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly description?: string; readonly required?: boolean; readonly content: Content }
  readonly responses: Readonly<Record<string, Response | Reference>>
  readonly security?: ReadonlyArray<Requirement>
}

export interface SecurityScheme {
  readonly type: string
  readonly description?: string
  readonly scheme?: string
  readonly in?: string
  readonly name?: string
}

export interface Server {
  readonly url: string
  readonly description?: string
}

export interface Tag {
  readonly name: string
  readonly description?: string
}

export interface Components {
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly responses: Readonly<Record<string, Response>>
  readonly headers: Readonly<Record<string, Header>>
  readonly securitySchemes: Readonly<Record<string, SecurityScheme>>
}

/** The OpenAPI description of an API. */
export interface ApiDocument {
  readonly openapi: string
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly servers?: ReadonlyArray<Server>
  readonly tags: ReadonlyArray<Tag>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Components
}

/** An operation with its address. */
export interface Endpoint {
  readonly path: string
  readonly method: string
  readonly operation: Operation
}

/** All operations in the order of the document. */
export const endpoints = ({ paths }: ApiDocument): ReadonlyArray<Endpoint> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation }))
  )

const isReference = (part: object): part is Reference => "$ref" in part && typeof part.$ref === "string"

/** The name at the end of a reference. */
export const nameOf = (reference: string): string =>
  decodeURIComponent(reference.slice(reference.lastIndexOf("/") + 1))
    .replaceAll("~1", "/")
    .replaceAll("~0", "~")

/** The response itself where the document refers to one. */
export const responseOf = ({ components }: ApiDocument, part: Response | Reference): Response =>
  isReference(part) ? (components.responses[nameOf(part.$ref)] ?? { description: "" }) : part
