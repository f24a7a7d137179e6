// The OpenAPI 3.1 document of the APIs of a program, as this server serves them.
import { Effect, Option } from "effect"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { header as csrfHeader } from "../../../src/session/internal/CsrfNames.ts"
import type * as Document from "../../../src/server/internal/ApiDocument.ts"
import * as ApiErrors from "../../../src/server/internal/ApiErrors.ts"
import * as Status from "../../../src/http/internal/text/Status.ts"
import * as SchemaExample from "../../../src/server/internal/SchemaExample.ts"
import * as ApiSpecs from "./ApiSpecs.ts"

/** What the document says beside the APIs. */
export interface Options {
  /** The title; by default that of the first API, `OpenApi.Title`. */
  readonly title?: string
  /** The version; by default that of the first API, `OpenApi.Version`. */
  readonly version?: string
  readonly description?: string
  /** Where the API is; by default `APP_URL`. */
  readonly servers?: ReadonlyArray<Document.Server>
  /** The name of the session cookie; by default that of the settings. */
  readonly sessionCookie?: string
  /** The name of the remember-me cookie; by default that of the settings. */
  readonly rememberCookie?: string
}

const withExamples = (content: Document.Content, schemas: ApiSpecs.Joined["schemas"]): Document.Content => {
  const known = Object.fromEntries(schemas)
  return Object.fromEntries(
    Object.entries(content).map(([type, media]) => {
      if (media.schema === undefined || media.example !== undefined || !type.includes("json")) return [type, media]
      return [
        type,
        Option.match(SchemaExample.make(media.schema, known), {
          onNone: () => media,
          onSome: (example) => ({ ...media, example })
        })
      ]
    })
  )
}

const isSafe = (method: string): boolean => ["get", "head", "options"].includes(method)

const isReference = (part: object): part is Document.Reference => "$ref" in part

// The server answers the same status with a body of its own.
const joinedContent = (given: Document.Content = {}, status: number): Document.Content => {
  const added = ApiErrors.content(status, Status.text(status))
  const json = given["application/json"]
  const own = added["application/json"]
  if (json?.schema === undefined || own?.schema === undefined) return { ...added, ...given }
  return { ...given, ...added, "application/json": { ...json, schema: { anyOf: [json.schema, own.schema] } } }
}

const isCsrfHeader = ({ in: place, name }: Document.Parameter): boolean =>
  place === "header" && name.toLowerCase() === csrfHeader

/** Whether there is something to decode. The token is compared, not decoded. */
const isDecoded = ({ parameters = [], requestBody }: Document.Operation): boolean =>
  requestBody !== undefined || !parameters.every(isCsrfHeader)

// A path without parameters and a request without a body have nothing that cannot be read.
const isPossible = (status: number | "default", operation: Document.Operation): boolean => {
  if (status === 413 || status === 422) return operation.requestBody !== undefined
  return status !== 400 || isDecoded(operation)
}

// Effect writes the failures of a guard and of a group to every operation, also where nothing is forged or decoded, and that
// of its decoder, which this server answers with `InvalidRequest`.
const impossible = (method: string, status: string, operation: Document.Operation): ReadonlyArray<string> => [
  "HttpApiDecodeError",
  ...(isSafe(method) ? ["CsrfMismatch"] : []),
  ...(isPossible(Number(status), operation) ? [] : ["InvalidRequest"])
]

const failureOf = (schema: Document.JsonSchema, without: ReadonlyArray<string>): Document.JsonSchema | undefined => {
  const any: unknown = schema["anyOf"]
  const all: ReadonlyArray<Document.JsonSchema> = Array.isArray(any) ? any : [schema]
  const left = all.filter((one) => !without.some((name) => refersTo(one, name))).map(ApiErrors.enveloped)
  return left.length > 1 ? { ...schema, anyOf: left } : left[0]
}

/** What is sent as a failure; nothing where all of it is impossible. */
const asFailure = (content: Document.Content, without: ReadonlyArray<string>): Document.Content =>
  Object.fromEntries(
    Object.entries(content).flatMap(([type, media]) => {
      const schema = media.schema && failureOf(media.schema, without)
      return schema === undefined && media.schema !== undefined ? [] : [[type, { ...media, ...(schema && { schema }) }]]
    })
  )

const responses = (
  method: string,
  operation: Document.Operation,
  schemas: ApiSpecs.Joined["schemas"]
): Readonly<Record<string, Document.Response | Document.Reference>> => {
  const all: Record<string, Document.Response | Document.Reference> = {}
  for (const [status, given] of Object.entries(operation.responses)) {
    if (isReference(given)) {
      all[status] = given
      continue
    }
    const isFailure = Number(status) >= 400
    const sent =
      given.content && isFailure ? asFailure(given.content, impossible(method, status, operation)) : given.content
    if (isFailure && sent !== undefined && Object.keys(sent).length === 0) continue
    const content = sent && withExamples(sent, schemas)
    const headers = { ...ApiErrors.headerReferences(status), ...given.headers }
    all[status] = { ...given, headers, ...(content && { content }) }
  }
  for (const { name, status } of ApiErrors.standard) {
    if (!isPossible(status, operation)) continue
    const given = all[status]
    if (given === undefined) all[status] = { $ref: `#/components/responses/${name}` }
    else if (!isReference(given) && status !== "default") {
      all[status] = { ...given, content: joinedContent(given.content, status) }
    }
  }
  return all
}

const csrfParameter: Document.Parameter = {
  name: csrfHeader,
  in: "header",
  required: false,
  description: "The token of the session, from GET /csrf; needed where a cookie counts.",
  schema: { type: "string" }
}

const withExample = (
  parameter: Document.Parameter,
  schemas: Readonly<Record<string, Document.JsonSchema>>
): Document.Parameter => {
  if (parameter.schema === undefined || parameter.required !== true) return parameter
  const example = SchemaExample.make(parameter.schema, schemas)
  return Option.isSome(example) ? { ...parameter, example: example.value } : parameter
}

const refersTo = (schema: Document.JsonSchema | undefined, name: string): boolean => {
  const { $ref, anyOf = [] } = schema ?? {}
  const isNamed = $ref === `#/components/schemas/${name}`
  return isNamed || (Array.isArray(anyOf) && anyOf.some((one: Document.JsonSchema) => refersTo(one, name)))
}

// An endpoint that is open to everyone may read cookies all the same, and checks the token then.
const mayBeForged = ({ responses }: Document.Operation): boolean => {
  const refusal = responses["403"]
  if (refusal === undefined || isReference(refusal)) return false
  return refersTo(refusal.content?.["application/json"]?.schema, "CsrfMismatch")
}

const complete = (
  method: string,
  operation: Document.Operation,
  { schemas, securitySchemes }: ApiSpecs.Joined
): Document.Operation => {
  const needs = (operation.security ?? []).flatMap((requirement) => Object.keys(requirement))
  const byCookie = needs.some((name) => securitySchemes.get(name)?.in === "cookie")
  const needsToken =
    !isSafe(method) && (byCookie || mayBeForged(operation)) && !(operation.parameters ?? []).some(isCsrfHeader)
  const { parameters = [], requestBody, ...rest } = operation
  const known = Object.fromEntries(schemas)
  const described = parameters.map((parameter) => withExample(parameter, known))
  return {
    ...rest,
    parameters: needsToken ? [...described, csrfParameter] : described,
    ...(requestBody && { requestBody: { ...requestBody, content: withExamples(requestBody.content, schemas) } }),
    responses: responses(method, operation, schemas)
  }
}

// The guards name the cookies by their defaults: they are made before the settings are read.
const schemesOf = ({ securitySchemes }: ApiSpecs.Joined, { rememberCookie, sessionCookie }: Options) => {
  const names = new Map([
    ["session", sessionCookie],
    ["remember", rememberCookie]
  ])
  const named = (scheme: Document.SecurityScheme): Document.SecurityScheme => {
    const name = scheme.in === "cookie" ? names.get(scheme.name ?? "") : undefined
    return name === undefined ? scheme : { ...scheme, name }
  }
  return Object.fromEntries(Array.from(securitySchemes, ([name, scheme]) => [name, named(scheme)]))
}

const failuresIn = (joined: ApiSpecs.Joined): ReadonlySet<string> => {
  const names = new Set<string>()
  for (const methods of joined.paths.values()) {
    for (const { responses } of methods.values()) {
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) < 400 || isReference(response)) continue
        for (const [, name = ""] of JSON.stringify(response.content ?? {}).matchAll(reference)) names.add(name)
      }
    }
  }
  return names
}

const reference = /"#\/components\/schemas\/([^"]+)"/g

// What Effect declares of its decoder, for every operation.
const unused = new Set(["HttpApiDecodeError", "Issue", "PropertyKey"])

/** The schemas as this server sends them: those of failures in their envelope. */
const asSent = (given: ApiSpecs.Joined): ApiSpecs.Joined => {
  const failures = failuresIn(given)
  const schemas = new Map<string, Document.JsonSchema>()
  for (const [name, schema] of given.schemas) {
    if (!unused.has(name)) schemas.set(name, failures.has(name) ? ApiErrors.enveloped(schema) : schema)
  }
  return { ...given, schemas }
}

/** The document of the APIs: one for a program, with what the server itself answers to every operation. */
export const make = (apis: ReadonlyArray<ApiSpecs.AnyApi>, options: Options = {}): Document.ApiDocument => {
  const joined = asSent(ApiSpecs.join(apis, ApiErrors.schemas))
  const { description, title, version } = options
  const servers = options.servers ?? joined.servers
  const paths = [...joined.paths].map(([path, methods]) => [
    path,
    Object.fromEntries([...methods].map(([method, operation]) => [method, complete(method, operation, joined)]))
  ])
  return {
    openapi: "3.1.0",
    info: {
      ...joined.info,
      ...(title !== undefined && { title }),
      ...(version !== undefined && { version }),
      ...(description !== undefined && { description })
    },
    ...(servers && { servers }),
    tags: [...joined.tags.values()],
    paths: Object.fromEntries(paths),
    components: {
      schemas: Object.fromEntries(joined.schemas),
      responses: Object.fromEntries(ApiErrors.standard.map(({ name, response }) => [name, response])),
      headers: ApiErrors.headers,
      securitySchemes: schemesOf(joined, options)
    }
  }
}

/** The document with the address and the cookie of the settings, where the program has them. */
export const configured = (
  apis: ReadonlyArray<ApiSpecs.AnyApi>,
  options: Options
): Effect.Effect<Document.ApiDocument> =>
  Effect.map(Effect.serviceOption(AuthConfig), (found) => {
    if (Option.isNone(found)) return make(apis, options)
    const { appUrl, rememberName, sessionName } = found.value
    return make(apis, {
      servers: [{ url: appUrl }],
      sessionCookie: sessionName,
      rememberCookie: rememberName,
      ...options
    })
  })
