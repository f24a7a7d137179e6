// What the server itself adds to every operation of an API document: the statuses that it answers, with their bodies and
// headers.
import type { Content, Header, JsonSchema, Response } from "./ApiDocument.ts"
import * as Status from "../../http/internal/text/Status.ts"

const field = (description: string): JsonSchema => ({ type: "string", description })

const fields: JsonSchema = {
  type: "object",
  description: "What was expected of the request, by path.",
  additionalProperties: { type: "string" }
}

const error = field("What is wrong, in the language of the request.")

/**
 * The bodies of an error. Facts of the error are added, and details in development, so that other members are allowed. A 500
 * has no name.
 */
export const schemas: Readonly<Record<string, JsonSchema>> = {
  ErrorBody: {
    type: "object",
    description: "An error of the server itself.",
    required: ["error"],
    properties: { error, _tag: field("The name of the error."), fields }
  },
  ProblemDetails: {
    type: "object",
    description: "The same as a problem document (RFC 9457), for a client that accepts application/problem+json.",
    required: ["type", "title", "status"],
    properties: {
      type: field("about:blank"),
      title: field("The text of the status."),
      status: { type: "integer" },
      detail: field("What is wrong, in words."),
      fields
    }
  }
}

const isNamed = (properties: unknown): properties is Readonly<Record<string, unknown>> =>
  typeof properties === "object" && properties !== null && "_tag" in properties

/** The schema of a declared error as it is sent: with the sentence, and with what was expected of the request. */
export const enveloped = (schema: JsonSchema): JsonSchema => {
  const { properties, required } = schema
  if (!isNamed(properties)) return schema
  const names = Array.isArray(required) ? required : []
  return {
    ...schema,
    required: names.includes("error") ? names : ["error", ...names],
    properties: { error, ...(schema["additionalProperties"] === false && { fields }), ...properties }
  }
}

const header = (description: string, schema: JsonSchema = { type: "string" }): Header => ({ description, schema })

const whole: JsonSchema = { type: "integer", minimum: 0 }

/** The headers, by name. */
export const headers: Readonly<Record<string, Header>> = {
  "X-Request-Id": header("Names this request in the logs."),
  "WWW-Authenticate": header("How to authenticate."),
  "Retry-After": header("Seconds after which to try again.", whole),
  "X-RateLimit-Limit": header("How many requests are allowed in the window.", whole),
  "X-RateLimit-Remaining": header("How many more are allowed now.", whole),
  "X-RateLimit-Reset": header("Epoch seconds at which one more is allowed.", whole)
}

const rateLimit = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]

/** The names of the headers of a status. */
const headersOf = (status: string): ReadonlyArray<string> => {
  const special: Readonly<Record<string, ReadonlyArray<string>>> = {
    "401": ["WWW-Authenticate"],
    "429": ["Retry-After", ...rateLimit],
    "503": ["Retry-After"]
  }
  return ["X-Request-Id", ...(special[status] ?? [])]
}

const reference = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` })

/** References to the headers of a status. */
export const headerReferences = (status: string): Readonly<Record<string, { readonly $ref: string }>> =>
  Object.fromEntries(headersOf(status).map((name) => [name, reference("headers", name)]))

/** The two bodies of an error. */
export const content = (status: number, text: string): Content => ({
  "application/json": { schema: reference("schemas", "ErrorBody"), example: { error: text } },
  "application/problem+json": {
    schema: reference("schemas", "ProblemDetails"),
    example: { type: "about:blank", title: text, status }
  }
})

const response = (status: number, description: string): Response => ({
  description,
  headers: headerReferences(String(status)),
  content: content(status, Status.text(status))
})

interface Standard {
  readonly name: string
  readonly status: number | "default"
  readonly response: Response
}

const notFound = 404

/** The responses of the server by status; `default` stands for those that no operation names. */
export const standard: ReadonlyArray<Standard> = [
  {
    name: "BadRequest",
    status: 400,
    response: response(400, "The path, the query or a header is not as declared, or the body cannot be read.")
  },
  { name: "UnprocessableContent", status: 422, response: response(422, "The body does not have the declared shape.") },
  { name: "ContentTooLarge", status: 413, response: response(413, "The body is longer than the server accepts.") },
  { name: "InternalServerError", status: 500, response: response(500, "The server failed. It has been reported.") },
  {
    name: "ServiceUnavailable",
    status: 503,
    response: response(503, "The server is overloaded, stops, or cannot reach its database. Try again later.")
  },
  {
    name: "OtherError",
    status: "default",
    response: {
      ...response(
        notFound,
        "Any other status of the server: 404 and 405 for an address or a method that does not exist, 415 for a body of another " +
          "kind, and 408, 414, 417, 421, 431, 501 and 505 for a request that it does not accept. The latter are plain text " +
          "and close the connection."
      ),
      headers: {}
    }
  }
]
