// What every answer is sent in: the request id, the secure headers, and what the steps of the request have added.
import { Cookies, Headers, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { Exchange, Exchanges, type State } from "../../src/http/Exchange.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Nothing inline, nothing from elsewhere, no frame around us. A page that needs more says so itself. */
export const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

/** Sent with every answer that does not say otherwise. */
export const secureHeaders: Readonly<Record<string, string>> = {
  "content-security-policy": contentSecurityPolicy,
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "same-origin",
  "strict-transport-security": "max-age=31536000; includeSubDomains",
  "x-content-type-options": "nosniff"
}

const seal = (exchange: State, response: HttpServerResponse.HttpServerResponse) => {
  const headers: Record<string, string> = { "x-request-id": exchange.id }
  for (const name in secureHeaders) headers[name] = secureHeaders[name] ?? ""
  for (const name in response.headers) headers[name] = response.headers[name] ?? ""
  for (const [name, value] of exchange.headers) headers[name.toLowerCase()] = value
  const sealed = HttpServerResponse.setHeaders(response, Headers.unsafeFromRecord(headers))
  if (exchange.cookies.size === 0) return sealed
  return HttpServerResponse.mergeCookies(sealed, Cookies.fromSetCookie(exchange.cookies.values()))
}

/** Seals whatever the handler answers. */
export const sealed = <E, R>(handler: Handler<E, R>): Handler<E, R | Exchange> =>
  Effect.flatMap(Exchange, (exchange) => Effect.map(handler, (response) => seal(exchange, response)))

/** Opens the exchange where the server has not done so: our own edge has, the stock router has not. */
export const opened =
  (route: string) =>
  <A, E, R>(
    handler: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, Exclude<R, Exchange> | Exchanges | HttpServerRequest.HttpServerRequest> =>
    Effect.contextWithEffect((context: Context.Context<Exchanges | HttpServerRequest.HttpServerRequest>) =>
      Context.getOption(context, Exchange)._tag === "Some"
        ? // A boundary of the type system: the exchange is there, it was just looked at.
          (handler as Effect.Effect<A, E, Exclude<R, Exchange>>)
        : Effect.provideService(handler, Exchange, open(context, route))
    )

const open = (context: Context.Context<Exchanges | HttpServerRequest.HttpServerRequest>, route: string): State => {
  const request = Context.get(context, HttpServerRequest.HttpServerRequest)
  return Context.get(context, Exchanges).open({
    method: request.method,
    url: request.url,
    headers: request.headers,
    remoteAddress: Option.getOrUndefined(request.remoteAddress),
    route
  })
}
