// The top of the error channel: what no route turned into an answer is reported once and answered for the environment.
import { HttpServerError, HttpServerRequest, HttpServerRespondable, type HttpServerResponse } from "@effect/platform"
import { Cause, Context, Effect } from "effect"
import * as ErrorResponse from "../../src/errors/ErrorResponse.ts"
import * as DebugPage from "../../src/errors/DebugPage.ts"
import * as Environment from "../../src/errors/Environment.ts"
import * as Expectations from "../../src/errors/Expectations.ts"
import * as ErrorBody from "../../src/errors/ErrorBody.ts"
import * as Preview from "../../src/errors/Preview.ts"
import { Reporters } from "../../src/errors/Reporters.ts"
import * as RequestFacts from "../../src/errors/RequestFacts.ts"
import { Sources } from "../../src/errors/Sources.ts"
import * as Throwable from "../../src/errors/Throwable.ts"
import { ErrorPages } from "../../src/errors/ErrorPages.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import * as ErrorContext from "./ErrorContext.ts"
import * as InvalidRequest from "./InvalidRequest.ts"
import { kind } from "./Negotiation.ts"
import * as StatusResponse from "./StatusResponse.ts"

type Response = HttpServerResponse.HttpServerResponse
type Answering = Effect.Effect<Response, never, Needs>

/** What an answer is made from. */
export type Needs =
  | Environment.Environment
  | Reporters
  | Sources
  | ErrorPages
  | Exchange
  | HttpServerRequest.HttpServerRequest

/** What an answer may carry besides its status. */
export type Options = StatusResponse.Options

type Services = Context.Context<Needs>

const { HttpServerRequest: Request } = HttpServerRequest

const notify = (services: Services, cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const exchange = Context.get(services, Exchange)
  const request = Context.get(services, Request)
  const secrets = () => ErrorContext.secrets(exchange, request)
  return Context.get(services, Reporters).notify(cause, RequestFacts.of(exchange), secrets)
}

const answerWith = (services: Services, status: number, options: Options): Effect.Effect<Response> => {
  const request = Context.get(services, Request)
  const views = Context.get(services, ErrorPages)
  return StatusResponse.make({ request, views, report: (cause) => notify(services, cause) }, status, options)
}

/** Answers a status by itself, for the client: the project's page, else the built-in one, or JSON. Reports nothing. */
export const answer = (status: number, options: Options = {}): Answering =>
  Effect.contextWithEffect((services: Services) => answerWith(services, status, options))

/** Reports what went wrong without answering: for a failure after the headers were sent. */
export const report = (cause: Cause.Cause<unknown>): Effect.Effect<void, never, Needs> =>
  Effect.contextWithEffect((services: Services) => notify(services, cause))

// Even to ask what a value is may throw: anything can be thrown, a hostile proxy too.
const isServerError = (failure: unknown): failure is HttpServerError.HttpServerError =>
  Preview.read(() => HttpServerError.isServerError(failure)) === true

// What @effect/platform says of a multipart body; any other reason is trouble of our own.
const multipart: Readonly<Record<string, number>> = {
  FileTooLarge: 413,
  FieldTooLarge: 413,
  BodyTooLarge: 413,
  TooManyParts: 413,
  Parse: 400
}

const multipartStatus = (failure: unknown): number | undefined => {
  if (Preview.get(failure, "_tag") !== "MultipartError") return undefined
  const reason = Preview.get(failure, "reason")
  return typeof reason === "string" ? multipart[reason] : undefined
}

// Not found, not readable and not what a schema expects are answers to the request, not exceptions.
const answerOf = (
  services: Services,
  { isDefect, value }: Throwable.Throwable
): ErrorResponse.ErrorResponse | undefined => {
  const given = ErrorResponse.from(value)
  if (given !== undefined) return given
  // A defect is a mistake of the program: it decoded something of its own.
  if (!isDefect && Expectations.isParseError(value)) return InvalidRequest.answer(services, value)
  if (isServerError(value)) {
    if (value._tag === "RouteNotFound") return ErrorResponse.of(404)
    return value._tag === "RequestError" ? (ErrorResponse.from(value.cause) ?? ErrorResponse.of(400)) : undefined
  }
  const status = multipartStatus(value)
  return status === undefined ? undefined : ErrorResponse.of(status)
}

// A failure that knows its own response, or is one: the way of @effect/platform.
const isOwnAnswer = (failure: unknown): failure is HttpServerRespondable.Respondable =>
  Preview.read(() => HttpServerRespondable.isRespondable(failure) && !isServerError(failure)) === true

/** The developer's answer: the debug page, or the details as JSON. */
const develop = (services: Services, throwable: Throwable.Throwable, answer: ErrorResponse.ErrorResponse): Response => {
  const { status } = answer
  const exchange = Context.get(services, Exchange)
  const request = Context.get(services, Request)
  const sources = Context.get(services, Sources)
  const secrets = ErrorContext.secrets(exchange, request)
  const headers = ErrorResponse.headers(answer)
  const wanted = kind(request.headers["accept"])
  if (wanted !== "text/html") {
    const details = ErrorBody.details(throwable, sources, secrets)
    const body = wanted === "application/json" ? details : ErrorBody.problem(status, details.message, details)
    return StatusResponse.send(status, wanted, JSON.stringify(body), headers)
  }
  const nonce = globalThis.crypto.randomUUID().replaceAll("-", "")
  const asked = { method: exchange.method, uri: RequestFacts.uri(exchange) }
  const context = ErrorContext.sections(exchange, request)
  const body = DebugPage.render({ throwable, status, request: asked, context, secrets }, { sources, nonce })
  const policy = DebugPage.contentSecurityPolicy(nonce)
  return StatusResponse.send(status, "text/html; charset=utf-8", body, {
    ...headers,
    "content-security-policy": policy
  })
}

const production = (services: Services, answer: ErrorResponse.ErrorResponse): Effect.Effect<Response> => {
  const { fields, message, status } = answer
  return answerWith(services, status, {
    headers: ErrorResponse.headers(answer),
    ...(message === undefined ? undefined : { message }),
    ...(fields === undefined ? undefined : { fields })
  })
}

const render = (
  services: Services,
  environment: Environment.Name,
  throwable: Throwable.Throwable,
  answer: ErrorResponse.ErrorResponse
): Effect.Effect<Response> => {
  if (environment === "test" && answer.status === 500) {
    return Effect.succeed(StatusResponse.send(500, "text/html; charset=utf-8", " "))
  }
  if (environment !== "development") return production(services, answer)
  return Effect.catchAllCause(
    Effect.sync(() => develop(services, throwable, answer)),
    () => production(services, answer)
  )
}

const respondWith = (
  services: Services,
  environment: Environment.Name,
  cause: Cause.Cause<unknown>
): Effect.Effect<Response, never, Needs> => {
  const [throwable, ...others] = Throwable.all(cause)
  // Nobody failed: a fiber that the answer waited for was interrupted, because the server is going down.
  if (throwable === undefined)
    return production(services, ErrorResponse.of(503, { retryAfter: ErrorResponse.retryAfter }))
  const { value } = throwable
  const said = answerOf(services, throwable)
  if (said === undefined && isOwnAnswer(value)) {
    const reported = (response: Response) => (response.status < 500 ? Effect.void : notify(services, cause))
    return Effect.catchAllCause(Effect.tap(HttpServerRespondable.toResponse(value), reported), respond)
  }
  if (said !== undefined && !ErrorResponse.isException(value, said)) {
    // The failure is an answer; a finalizer that broke afterwards is not.
    const broken = others.filter((other) => answerOf(services, other) === undefined)
    const reports = Effect.forEach(broken, (other) => notify(services, Cause.die(other.value)), { discard: true })
    return Effect.zipRight(reports, production(services, said))
  }
  const answer = said ?? ErrorResponse.of(500)
  const answered = ErrorResponse.isRespondable(value)
    ? production(services, answer)
    : render(services, environment, throwable, answer)
  return Effect.zipRight(notify(services, cause), answered)
}

/** Reports the cause, unless it is an answer, and answers for the environment. */
export const respond = (cause: Cause.Cause<unknown>): Answering =>
  Effect.contextWithEffect((services: Services) =>
    Effect.flatMap(Environment.current, (environment) => respondWith(services, environment, cause))
  )

/** The handler, with every failure and defect turned into an answer. Costs nothing while it succeeds. */
export const catching = <E, R>(handler: Effect.Effect<Response, E, R>): Effect.Effect<Response, never, R | Needs> =>
  Effect.catchAllCause(handler, respond)
