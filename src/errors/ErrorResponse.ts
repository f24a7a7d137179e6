// How a failure says that it is an answer: the status and text it stands for. The Catcher reads it.
import { Predicate } from "effect"
import { isUnavailable } from "../database/DatabaseUnavailable.ts"

/** The property by which a failure says that it is an answer. */
export const symbol: unique symbol = Symbol.for("effect-framework/errors/Answer")

/** The status that a failure stands for, and what goes with it. */
export interface ErrorResponse {
  readonly status: number
  /** Shown to the client in place of the status text. Never anything that came from outside or from a secret. */
  readonly message?: string
  /** What was expected of the request, by path, for a program. Never what was sent. */
  readonly fields?: Readonly<Record<string, string>>
  /** Seconds, sent as `Retry-After`. */
  readonly retryAfter?: number
  readonly headers?: Readonly<Record<string, string>>
}

/**
 * A failure (or defect) that is an answer. Below 500 it is not an exception and is not reported, nor is 503: whoever
 * says that it is busy works as it should. Any other answer from 500 on is trouble, and is reported.
 *
 * class Overloaded extends Schema.TaggedError<Overloaded>("effect-framework/errors/Overloaded")("Overloaded", {}) {
 *   get [Answer.symbol]() { return Answer.of(503, { retryAfter: 1 }) }
 * }
 */
export interface Respondable {
  readonly [symbol]: ErrorResponse
}

/** An answer with this status. */
export const of = (status: number, options?: Omit<ErrorResponse, "status">): ErrorResponse => ({ ...options, status })

// Even to ask may throw: anything can be thrown, a hostile proxy too.
const ask = <A>(question: () => A): A | undefined => {
  try {
    return question()
  } catch {
    return undefined
  }
}

/** Whether a failure says that it is an answer; `false` for anything that throws when it is asked. */
export const isRespondable = (failure: unknown): failure is Respondable =>
  ask(() => Predicate.hasProperty(failure, symbol) && Predicate.hasProperty(failure[symbol], "status")) === true

/** A database that is out of reach is asked again after so many seconds. */
export const retryAfter = 5

/** The answer that a failure stands for; nothing when it is an exception like any other. */
export const from = (failure: unknown): ErrorResponse | undefined => {
  if (isRespondable(failure)) return failure[symbol]
  return ask(() => isUnavailable(failure)) === true ? of(503, { retryAfter }) : undefined
}

/**
 * Whether a failure is an exception all the same. A 503 that nobody declared is: a flood turned away must not fill a log,
 * a database out of reach must be heard of.
 */
export const isException = (failure: unknown, { status }: ErrorResponse): boolean =>
  status >= 500 && !(status === 503 && isRespondable(failure))

/** The headers of an answer. */
export const headers = (answer: ErrorResponse): Record<string, string> => ({
  ...answer.headers,
  ...(answer.retryAfter === undefined
    ? undefined
    : { "retry-after": String(Math.max(0, Math.ceil(answer.retryAfter))) })
})
