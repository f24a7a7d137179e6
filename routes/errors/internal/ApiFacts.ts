// What an endpoint of an `HttpApi` says of a failure that it does not declare, beside the sentence: its name and its facts.
import { Option, Predicate, Schema } from "effect"
import type * as ErrorBody from "../../../src/errors/internal/ErrorBody.ts"
import * as Preview from "../../../src/errors/internal/Preview.ts"
import * as ErrorResponse from "../../../src/http/internal/ErrorResponse.ts"
import * as Status from "../../../src/http/internal/text/Status.ts"

// => "NotFound"   of 404
const nameOf = (status: number): string => Status.text(status).replace(/[^A-Za-z]/g, "")

// The framework's failures are schemas, whose fields are meant for clients.
const encoded = (failure: ErrorResponse.Respondable): Option.Option<unknown> => {
  const schema: unknown = Reflect.get(failure, "constructor")
  // A boundary: the class of a failure encodes its own values, and needs no services.
  return Schema.isSchema(schema) ? Schema.encodeUnknownOption(schema as Schema.Schema<unknown>)(failure) : Option.none()
}

const isFacts = (value: unknown): value is ErrorBody.Facts => Predicate.isRecord(value) && "_tag" in value

/** The name and the facts; nothing for 500. */
export const of = (status: number, failure: unknown): ErrorBody.Facts | undefined => {
  if (status === 500) return undefined
  const given = ErrorResponse.from(failure)?.facts
  if (given !== undefined) return { _tag: String(Preview.get(failure, "_tag")), ...given }
  const facts = ErrorResponse.isRespondable(failure) ? Preview.read(() => encoded(failure)) : undefined
  if (facts !== undefined && Option.isSome(facts) && isFacts(facts.value)) return facts.value
  const tag = Preview.get(failure, "_tag")
  return { _tag: typeof tag === "string" && status < 500 && isOwn(failure) ? tag : nameOf(status) }
}

// Errors of the platform and of the database have names that say nothing to a client.
const isOwn = (failure: unknown): boolean =>
  !["RequestError", "RouteNotFound", "ParseError", "SqlError", "MultipartError"].includes(
    String(Preview.get(failure, "_tag"))
  )
