// A request that a schema rejects: 422 for its body, 400 for its path, query, headers or cookies.
import { HttpLayerRouter, HttpServerRequest } from "@effect/platform"
import { Context, Option, type ParseResult, Predicate } from "effect"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import * as Expectations from "../../../src/errors/internal/Expectations.ts"
import { english, HttpTexts } from "../../../src/http/HttpTexts.ts"

type Services = Context.Context<HttpServerRequest.HttpServerRequest>

/** `address` is the path, the query, the headers and the cookies. */
type Part = "body" | "address"

const keys = { body: "invalidBody", address: "invalidAddress" } as const satisfies Record<Part, string>

const statuses: Readonly<Record<Part, number>> = { body: 422, address: 400 }

const isSameRecord = (value: object, other: Readonly<Record<string, unknown>>): boolean => {
  const entries = Object.entries(value)
  return entries.length === Object.keys(other).length && entries.every(([name, item]) => other[name] === item)
}

// `HttpLayerRouter.schemaJson` decodes the whole request as one value.
const isWhole = (value: object, headers: object): boolean =>
  "pathParams" in value && "searchParams" in value && "headers" in value && value.headers === headers

const hasBody = ({ headers, method }: HttpServerRequest.HttpServerRequest): boolean =>
  method !== "GET" && method !== "HEAD" && headers["content-length"] !== "0"

// Every schema function of @effect/platform decodes the very object that the request or the router holds, or a copy.
const partOf = (services: Services, error: ParseResult.ParseError): Part => {
  const request = Context.get(services, HttpServerRequest.HttpServerRequest)
  const { actual } = error.issue
  if (!hasBody(request)) return "address"
  if (!Predicate.isObject(actual)) return "body"
  if (isWhole(actual, request.headers)) {
    return Expectations.of(error).some(([path]) => /^body(?:\.|$)/.test(path)) ? "body" : "address"
  }
  const query = Option.getOrElse(Context.getOption(services, HttpServerRequest.ParsedSearchParams), () => ({}))
  const route = Context.getOption(services, HttpLayerRouter.RouteContext)
  const params = Option.match(route, { onNone: () => ({}), onSome: (context) => context.params })
  if (actual === query || actual === params || actual === request.headers) return "address"
  // An empty object could be any of them: a body `{}` is the most likely.
  if (Object.keys(actual).length === 0) return "body"
  return isSameRecord(actual, { ...query, ...params }) || isSameRecord(actual, request.cookies) ? "address" : "body"
}

/** The response to a request that a schema rejects: what was expected, by path, and never what was sent. */
export const toResponse = (services: Services, error: ParseResult.ParseError): ErrorResponse.ErrorResponse => {
  const part = partOf(services, error)
  return ErrorResponse.of(statuses[part], {
    message: english.refusal[keys[part]],
    translate: ({ texts }) => texts(HttpTexts).refusal[keys[part]],
    fields: Object.fromEntries(Expectations.of(error))
  })
}
