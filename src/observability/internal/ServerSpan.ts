// The span of a request: its name and attributes, as OpenTelemetry's conventions for HTTP have them.
import { Exit, FiberId } from "effect"
import { uri } from "../../errors/internal/RequestContext.ts"
import { clip } from "../../http/internal/text/SafeText.ts"
import type { State } from "../../http/internal/RequestState.ts"
import type { End } from "../../http/internal/RecordedRequest.ts"

type Attributes = Readonly<Record<string, unknown>>

/** The methods that a span may be named after: others are chosen by the client, without bound. */
const methods = new Set(["CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT", "QUERY", "TRACE"])

const maxAgent = 256

/** `GET /articles/:id`; the method alone without a route. */
export const name = ({ method, route }: Pick<State, "method" | "route">): string => {
  const verb = methods.has(method) ? method : "HTTP"
  return route === "" ? verb : `${verb} ${route}`
}

/** What is known when the request arrives. The path is the pattern where it has parameters: they may be secret. */
export const started = (
  exchange: State,
  { agent, scheme, version }: { readonly agent: string | undefined; readonly scheme: string; readonly version: string }
): Attributes => ({
  "http.request.method": methods.has(exchange.method) ? exchange.method : "_OTHER",
  ...(!methods.has(exchange.method) && { "http.request.method_original": exchange.method }),
  "url.scheme": scheme,
  "url.path": uri(exchange),
  ...(exchange.route !== "" && { "http.route": exchange.route }),
  "network.protocol.version": version,
  "client.address": exchange.clientAddress,
  ...(agent !== undefined && { "user_agent.original": clip(agent, maxAgent) }),
  "http.response.header.x-request-id": [exchange.id]
})

const errorType = ({ failed, status }: End): string | undefined => {
  if (status === undefined) return "aborted"
  if (status >= 500) return String(status)
  return failed ? "incomplete" : undefined
}

/** What is known when the request has ended. */
export const ended = ({ account }: Pick<State, "account">, end: End): Attributes => {
  const type = errorType(end)
  return {
    ...(end.status !== undefined && { "http.response.status_code": end.status }),
    ...(type !== undefined && { "error.type": type }),
    ...(account !== undefined && { "user.id": account })
  }
}

/** A status of 500 and more, and a response that broke off, are failures; a client that went away is an interruption. */
export const exit = ({ failed, status }: End): Exit.Exit<void, string> => {
  if (status === undefined) return Exit.interrupt(FiberId.none)
  if (status >= 500) return Exit.fail(`The response has the status ${status}.`)
  return failed ? Exit.fail("The response broke off.") : Exit.void
}
