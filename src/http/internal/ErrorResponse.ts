// The framework's own failures that have a response. A program's failures implement HttpServerRespondable, which this
// storey cannot import.
import { Predicate, type Schema } from "effect"
import type { Language } from "../Languages.ts"

/** The property that holds the response of a failure. */
export const symbol: unique symbol = Symbol.for("effect-framework/http/ErrorResponse")

/** The status of a failure, with its message, fields and headers. */
export interface ErrorResponse {
  readonly status: number
  /** Shown to the client in place of the status text. Must not contain input or a secret. */
  readonly message?: string
  /** The message in the language of the request; by default `message`. */
  readonly translate?: (language: Language) => string
  /** What was expected of the request, by path; JSON only. Must not contain what was sent. */
  readonly fields?: Readonly<Record<string, string>>
  /** What an API says of a failure that it does not declare; by default the fields of the error. */
  readonly facts?: Readonly<Record<string, unknown>>
  /** Seconds, sent as `Retry-After`. */
  readonly retryAfter?: number
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A failure or defect with a response. Below 500 it is not an exception, nor is 503: being overloaded is expected. Any
 * other status from 500 on is an exception and is reported.
 */
export interface Respondable {
  readonly [symbol]: ErrorResponse
}

// Registered under this name by @effect/platform, which this storey cannot import.
const annotation = Symbol.for("@effect/platform/HttpApiSchema/AnnotationStatus")

/** The annotations of an error that an endpoint of an `HttpApi` may declare: its status there, and when it happens. */
export const declared = <A>(status: number, description: string): Schema.Annotations.Schema<A> => ({
  description,
  [annotation]: status
})

/** A response with this status. */
export const of = (status: number, options?: Omit<ErrorResponse, "status">): ErrorResponse => ({ ...options, status })

// A thrown value may be a proxy that throws when it is inspected.
const inspect = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Whether a failure has a response; `false` for a value that throws when it is inspected. */
export const isRespondable = (failure: unknown): failure is Respondable =>
  inspect(() => Predicate.hasProperty(failure, symbol) && Predicate.hasProperty(failure[symbol], "status")) === true

/** The `Retry-After` where nothing says how long an outage lasts, in seconds. */
export const retryAfter = 5

/** The response that a failure declares; `undefined` for any other value. */
export const from = (failure: unknown): ErrorResponse | undefined =>
  isRespondable(failure) ? failure[symbol] : undefined

/**
 * Whether a failure with this response is an exception. A declared 503 is not: rejected load must not fill a log. An
 * unreachable database is.
 */
export const isException = (failure: unknown, { status }: ErrorResponse): boolean =>
  status >= 500 && !(status === 503 && isRespondable(failure))

/** The headers of a response. */
export const headers = (response: ErrorResponse): Record<string, string> => ({
  ...response.headers,
  ...(response.retryAfter === undefined
    ? undefined
    : { "retry-after": String(Math.max(0, Math.ceil(response.retryAfter))) })
})
