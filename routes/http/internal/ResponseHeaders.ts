// The headers of every response: the request id, the secure headers, and what the steps of the request have added.
import { Cookies, Headers, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { RequestState, RequestStates, type State } from "../../../src/http/internal/RequestState.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

type Response = HttpServerResponse.HttpServerResponse

/** For pages: nothing inline, nothing from other origins, no framing. A page that needs more sets its own. */
const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** For responses that are no page: data that may do nothing in a browser. A header of the response itself wins. */
export const secureHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "same-origin",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff"
}

/** The same for pages, which may load assets of their own origin. */
const pageHeaders: Readonly<Record<string, string>> = {
  ...secureHeaders,
  "content-security-policy": contentSecurityPolicy,
  "cross-origin-opener-policy": "same-origin"
}

type Lines = ReadonlyArray<readonly [name: string, value: string]>

const forData: Lines = Object.entries(secureHeaders)
const forPages: Lines = Object.entries(pageHeaders)

const isPage = ({ headers }: Response): boolean => headers["content-type"]?.startsWith("text/html") === true

// A cookie in a shared cache would be handed to the next visitor.
const isPersonal = (state: State): boolean => state.personal || state.cookies.size > 0

/** A policy that also allows forms to go to these origins; one that restricts no forms stays as it is. */
export const withFormOrigins = (policy: string, origins: ReadonlyArray<string>): string =>
  policy.replaceAll(/((?:^|[;,])\s*form-action)(?=[\s;,]|$)([^;,]*)/gi, (_, name: string, given: string) => {
    const sources = given.split(/\s+/).filter((one) => one !== "" && one.toLowerCase() !== "'none'")
    return [name, ...new Set([...sources, ...origins])].join(" ")
  })

// The program's own policy is extended as well: its browser would go to no provider.
const valueFor = ({ formOrigins }: State, name: string, value: string): string =>
  formOrigins === undefined || name !== "content-security-policy" ? value : withFormOrigins(value, formOrigins)

/** The header lines of a response: what the steps have added, its own, then the secure headers that it lacks. */
export const headerLines = (state: State, response: Response): Array<string> => {
  const { headers } = response
  const added = state.headers
  const lines = ["x-request-id", state.id]
  for (const name in headers) if (!added.has(name)) lines.push(name, valueFor(state, name, headers[name] ?? ""))
  if (state.language !== undefined) lines.push("content-language", state.language, "vary", "Accept-Language")
  for (const [name, value] of isPage(response) ? forPages : forData) {
    if (headers[name] === undefined && !added.has(name)) lines.push(name, valueFor(state, name, value))
  }
  if (headers["cache-control"] === undefined && !added.has("cache-control") && isPersonal(state)) {
    lines.push("cache-control", "no-store")
  }
  for (const [name, value] of added) lines.push(name, valueFor(state, name, value))
  for (const line of state.cookies.values()) lines.push("set-cookie", line)
  if (!Cookies.isEmpty(response.cookies)) {
    for (const line of Cookies.toSetCookieHeaders(response.cookies)) lines.push("set-cookie", line)
  }
  return lines
}

const addHeaders = (state: State, response: Response): Response => {
  const secure = isPage(response) ? pageHeaders : secureHeaders
  const kept = isPersonal(state) ? { "cache-control": "no-store" } : undefined
  const lines: Record<string, string> = { ...secure, ...kept, ...response.headers, "x-request-id": state.id }
  for (const [name, value] of state.headers) lines[name] = value
  const policy = "content-security-policy"
  lines[policy] = valueFor(state, policy, lines[policy] ?? "")
  if (state.language !== undefined) {
    lines["content-language"] = state.language
    lines["vary"] = lines["vary"] === undefined ? "Accept-Language" : `${lines["vary"]}, Accept-Language`
  }
  return HttpServerResponse.mergeCookies(
    HttpServerResponse.setHeaders(response, Headers.unsafeFromRecord(lines)),
    Cookies.fromSetCookie(state.cookies.values())
  )
}

/** Adds the headers to the response, for a server that does not call `headerLines`. */
export const withHeaders = <E, R>(
  handler: Effect.Effect<Response, E, R>
): Effect.Effect<Response, E, R | RequestState> =>
  Effect.flatMap(RequestState, (state) => Effect.map(handler, (response) => addHeaders(state, response)))

/** Opens the state, for a server that does not. */
export const withRequestState =
  (route: string) =>
  <E, R>(
    handler: Effect.Effect<Response, E, R>
  ): Effect.Effect<Response, E, Exclude<R, RequestState> | RequestStates | HttpServerRequest.HttpServerRequest> =>
    RequestServices.use((context: Context.Context<RequestStates | HttpServerRequest.HttpServerRequest>) =>
      Effect.provideService(handler, RequestState, open(context, route))
    )

const open = (context: Context.Context<RequestStates | HttpServerRequest.HttpServerRequest>, route: string): State => {
  const request = Context.get(context, HttpServerRequest.HttpServerRequest)
  return Context.get(context, RequestStates).open({
    method: request.method,
    url: request.url,
    headers: request.headers,
    remoteAddress: Option.getOrUndefined(request.remoteAddress),
    route
  })
}
