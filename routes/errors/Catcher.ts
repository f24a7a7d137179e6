// The end of the error channel: a failure that no route handled is reported once and becomes a response that suits the
// environment and the client.
import { HttpLayerRouter, HttpServerRequest, type HttpServerRespondable, HttpServerResponse } from "@effect/platform"
import { Cause, Context, Effect, Option } from "effect"
import * as DatabaseFailure from "../../src/errors/internal/DatabaseFailure.ts"
import * as ErrorResponse from "../../src/http/internal/ErrorResponse.ts"
import * as DebugPage from "../../src/errors/internal/debug/DebugPage.ts"
import * as EnvironmentName from "../../src/config/internal/EnvironmentName.ts"
import type * as Environment from "../../src/config/Environment.ts"
import * as Expectations from "../../src/errors/internal/Expectations.ts"
import * as ErrorBody from "../../src/errors/internal/ErrorBody.ts"
import * as Preview from "../../src/errors/internal/Preview.ts"
import { Reporters } from "../../src/errors/Reporters.ts"
import * as RequestContext from "../../src/errors/internal/RequestContext.ts"
import { opened } from "../../src/errors/internal/debug/SourceExcerpt.ts"
import { Sources } from "../../src/errors/Sources.ts"
import type * as Throwable from "../../src/errors/Throwable.ts"
import * as CauseThrowables from "../../src/errors/internal/CauseThrowables.ts"
import { ErrorPages } from "../../src/errors/ErrorPages.ts"
import { RequestRecorder } from "../../src/http/internal/RequestRecorder.ts"
import { RequestState } from "../../src/http/internal/RequestState.ts"
import * as RouteOptions from "../../src/http/internal/RouteOptions.ts"
import * as ApiFacts from "./internal/ApiFacts.ts"
import * as ErrorContext from "./internal/ErrorContext.ts"
import * as InvalidRequest from "./internal/InvalidRequest.ts"
import * as LayoutPage from "./internal/LayoutPage.ts"
import { kind, type Kind } from "./internal/StatusResponse.ts"
import * as Respondable from "./internal/Respondable.ts"
import * as StatusResponse from "./internal/StatusResponse.ts"
import * as RequestTexts from "../http/internal/RequestTexts.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"

export type { Options } from "./internal/StatusResponse.ts"

/** Where it runs, who hears of a failure, and what a response shows. */
export type Services =
  | Environment.Environment
  | Reporters
  | Sources
  | ErrorPages
  | RequestState
  | HttpServerRequest.HttpServerRequest

type Response = HttpServerResponse.HttpServerResponse

type ServiceContext = Context.Context<Services>

const { HttpServerRequest: Request } = HttpServerRequest

const notify = (services: ServiceContext, cause: Cause.Cause<unknown>): Effect.Effect<void> => {
  const state = Context.get(services, RequestState)
  const request = Context.get(services, Request)
  const secrets = () => ErrorContext.secrets(state, request)
  state.exception ??= { cause, secrets }
  return Context.get(services, Reporters).notify(cause, RequestContext.of(state), secrets)
}

const isApi = (services: ServiceContext): boolean => {
  const found = Context.getOption(services, HttpLayerRouter.RouteContext)
  return Option.isSome(found) && RouteOptions.of(found.value.route).isApi === true
}

const kindOf = (services: ServiceContext): Kind =>
  kind(Context.get(services, Request).headers["accept"], isApi(services))

const respondStatus = (
  services: ServiceContext,
  status: number,
  options: StatusResponse.Options,
  failure?: unknown
): Effect.Effect<Response> => {
  const facts = isApi(services) ? ApiFacts.of(status, failure) : undefined
  const views = Context.get(services, ErrorPages)
  const language = RequestTexts.languageOf(services)
  const report = (cause: Cause.Cause<unknown>) => notify(services, cause)
  const layout = (message: string) => LayoutPage.render(services, status, message, language)
  const { id } = Context.get(services, RequestState)
  const rendered = StatusResponse.make(
    { id, kind: kindOf(services), views, language, report, layout },
    status,
    options,
    facts
  )
  const { sent } = options
  return sent === undefined ? rendered : Effect.map(rendered, HttpServerResponse.setStatus(sent))
}

/**
 * The response of a status in the format of the client: the project's page, else one in the layout, or JSON;
 * `{ sent: 410 }` sends it with another one. Reports nothing.
 */
export const status = (code: number, options: StatusResponse.Options = {}): Effect.Effect<Response, never, Services> =>
  RequestServices.use((services: ServiceContext) => respondStatus(services, code, options))

/**
 * Only reports: for a failure after the headers were sent.
 *
 * @example
 * ```ts
 * import { HttpServerResponse } from "@effect/platform"
 * import { Effect, Stream } from "effect"
 * import { Catcher } from "effect-framework/routes/errors"
 *
 * const rows = Stream.make("tea,cups\n", "assam,3\n").pipe(Stream.concat(Stream.dieMessage("The shelf broke")))
 *
 * // The client has the first rows already, and gets no error page. On `WebServer` such a failure is reported without this.
 * export const csv = Effect.map(Effect.context<Catcher.Services>(), (services) => {
 *   const reported = Stream.tapErrorCause(rows, (cause) => Effect.provide(Catcher.report(cause), services))
 *   return HttpServerResponse.stream(Stream.encodeText(reported), { contentType: "text/csv" })
 * })
 * ```
 */
export const report = (cause: Cause.Cause<unknown>): Effect.Effect<void, never, Services> =>
  RequestServices.use((services: ServiceContext) => notify(services, cause))

// The reasons that are the fault of the client; any other is an exception.
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

// A route that does not exist, a body that cannot be read and a value that a schema refuses are no exceptions.
const responseOf = (
  services: ServiceContext,
  { isDefect, value }: Throwable.Throwable
): ErrorResponse.ErrorResponse | undefined => {
  const declared = DatabaseFailure.toResponse(value)
  if (declared !== undefined) return declared
  // As a defect it is a mistake of the program, which decoded data of its own.
  if (!isDefect && Expectations.isParseError(value)) return InvalidRequest.toResponse(services, value)
  if (Respondable.isServerError(value)) {
    if (value._tag === "RouteNotFound") return ErrorResponse.of(404)
    return value._tag === "RequestError"
      ? (DatabaseFailure.toResponse(value.cause) ?? ErrorResponse.of(400))
      : undefined
  }
  const status = multipartStatus(value)
  return status === undefined ? undefined : ErrorResponse.of(status)
}

/** The debug page, or the details as JSON. */
const renderDebug = (
  services: ServiceContext,
  throwable: Throwable.Throwable,
  response: ErrorResponse.ErrorResponse
): Response => {
  const { status } = response
  const state = Context.get(services, RequestState)
  const request = Context.get(services, Request)
  const sources = Context.get(services, Sources)
  const secrets = ErrorContext.secrets(state, request)
  const headers = ErrorResponse.headers(response)
  const recorder = Context.get(services, RequestRecorder)
  const recorded = recorder?.of(state)
  recorder?.log(state, { level: "ERROR", text: `${throwable.class}: ${throwable.message}` })
  const wanted = kindOf(services)
  if (wanted !== "text/html") {
    const details = ErrorBody.details(throwable, sources, secrets, recorded)
    const body =
      wanted === "application/json" ? details : ErrorBody.problem(status, details.message, { id: state.id, details })
    return StatusResponse.send(status, wanted, JSON.stringify(body), headers)
  }
  const nonce = globalThis.crypto.randomUUID().replaceAll("-", "")
  const summary = { method: state.method, uri: RequestContext.uri(state) }
  const context = ErrorContext.sections(state, request)
  const body = DebugPage.render({ throwable, status, request: summary, context, secrets, recorded }, { sources, nonce })
  const policy = DebugPage.contentSecurityPolicy(nonce)
  return StatusResponse.send(status, "text/html; charset=utf-8", body, {
    ...headers,
    "content-security-policy": policy
  })
}

const renderStatus = (
  services: ServiceContext,
  response: ErrorResponse.ErrorResponse,
  failure?: unknown
): Effect.Effect<Response> => {
  const { fields, status } = response
  const message = response.translate ?? response.message
  const options = {
    headers: ErrorResponse.headers(response),
    ...(message === undefined ? undefined : { message }),
    ...(fields === undefined ? undefined : { fields })
  }
  return respondStatus(services, status, options, failure)
}

const render = (
  services: ServiceContext,
  environment: Environment.Name,
  throwable: Throwable.Throwable,
  response: ErrorResponse.ErrorResponse
): Effect.Effect<Response> => {
  if (environment === "test" && response.status === 500) {
    return Effect.succeed(StatusResponse.send(500, "text/html; charset=utf-8", " "))
  }
  if (environment !== "development") return renderStatus(services, response)
  const opening = Effect.suspend(() => opened(Context.get(services, Sources), throwable))
  return Effect.catchAllCause(
    Effect.map(opening, () => renderDebug(services, throwable, response)),
    () => renderStatus(services, response)
  )
}

// A failure is a response; a finalizer that fails afterwards is an exception.
const notifyOthers = (services: ServiceContext, others: ReadonlyArray<Throwable.Throwable>): Effect.Effect<void> => {
  const exceptions = others.filter((other) => responseOf(services, other) === undefined)
  if (exceptions.length === 0) return Effect.void
  return Effect.forEach(exceptions, (other) => notify(services, Cause.die(other.value)), { discard: true })
}

const respondAs = (
  services: ServiceContext,
  environment: Environment.Name,
  cause: Cause.Cause<unknown>,
  failure: HttpServerRespondable.Respondable
): Effect.Effect<Response> =>
  Effect.matchCauseEffect(Respondable.toResponse(failure), {
    onFailure: (broken) =>
      Effect.zipRight(
        notify(services, broken),
        render(services, environment, CauseThrowables.from(broken), ErrorResponse.of(500))
      ),
    onSuccess: (response) => {
      const [, ...others] = CauseThrowables.all(cause)
      const reports = response.status < 500 ? notifyOthers(services, others) : notify(services, cause)
      const rendered = Respondable.toErrorResponse(response)
      if (rendered === undefined) return Effect.as(reports, response)
      const withCookies = HttpServerResponse.mergeCookies(response.cookies)
      return Effect.zipRight(reports, Effect.map(renderStatus(services, rendered, failure), withCookies))
    }
  })

const respondWith = (
  services: ServiceContext,
  environment: Environment.Name,
  cause: Cause.Cause<unknown>
): Effect.Effect<Response> => {
  const [throwable, ...others] = CauseThrowables.all(cause)
  // An interruption: the server is shutting down and stopped a fiber that the response waited for.
  if (throwable === undefined) {
    return renderStatus(services, ErrorResponse.of(503, { retryAfter: ErrorResponse.retryAfter }))
  }
  const { value } = throwable
  const declared = responseOf(services, throwable)
  if (declared === undefined && Respondable.isRespondable(value)) {
    return respondAs(services, environment, cause, value)
  }
  if (declared !== undefined && !ErrorResponse.isException(value, declared)) {
    return Effect.flatMap(notifyOthers(services, others), () => renderStatus(services, declared, value))
  }
  const response = declared ?? ErrorResponse.of(500)
  const rendered = ErrorResponse.isRespondable(value)
    ? renderStatus(services, response, value)
    : render(services, environment, throwable, response)
  return Effect.flatMap(notify(services, cause), () => rendered)
}

/**
 * The response of a cause for this environment and client. Reports the exceptions in it.
 *
 * @example
 * ```ts
 * import { HttpServerResponse } from "@effect/platform"
 * import { Effect } from "effect"
 * import { Catcher } from "effect-framework/routes/errors"
 *
 * const menu = Effect.dieMessage("The menu is lost")
 *
 * // Another site may read the menu, and also why it does not get it.
 * export const shared = Effect.catchAllCause(menu, Catcher.respond).pipe(
 *   Effect.map(HttpServerResponse.setHeader("access-control-allow-origin", "*"))
 * )
 * ```
 */
export const respond = (cause: Cause.Cause<unknown>): Effect.Effect<Response, never, Services> =>
  RequestServices.use((services: ServiceContext) =>
    Effect.flatMap(EnvironmentName.current, (environment) => respondWith(services, environment, cause))
  )

/**
 * Turns every failure and defect of a handler into a response. Costs nothing while the handler succeeds.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Catcher } from "effect-framework/routes/errors"
 *
 * // What is left of failures and defects is reported once, and answered for the environment.
 * export const app = Catcher.catching(Effect.die(new Error("The kettle is empty")))
 * ```
 */
export const catching = <E, R>(handler: Effect.Effect<Response, E, R>): Effect.Effect<Response, never, R | Services> =>
  Effect.catchAllCause(handler, respond)
