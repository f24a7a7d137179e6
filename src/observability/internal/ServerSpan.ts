// The span of a request: its name and attributes, as OpenTelemetry's conventions for HTTP have them.
import { Cause, Data, Exit, FiberId } from "effect"
import * as CauseThrowables from "../../errors/internal/CauseThrowables.ts"
import * as Redaction from "../../errors/Redaction.ts"
import type { Throwable } from "../../errors/Throwable.ts"
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

/** `WEBSOCKET /chat/:room`. */
export const socketName = ({ route }: Pick<State, "route">): string => `WEBSOCKET ${route}`

/** What is known when a WebSocket has ended. */
export const closed = ({ account, route }: Pick<State, "account" | "route">, exit: Exit.Exit<unknown, unknown>) => ({
  "http.route": route,
  "network.protocol.name": "websocket",
  ...(Exit.isFailure(exit) && !Exit.isInterrupted(exit) && { "error.type": "incomplete" }),
  ...(account !== undefined && { "user.id": account })
})

/** The path of a request that no route matched: a link with a token, mistyped, is still a secret. */
export const unmatched = "unmatched"

/** The path that leaves the process: the pattern where it has parameters, which may be secret. */
export const path = (state: State): string => (state.route === "" ? unmatched : uri(state))

/** What the head of a request says. */
interface Head {
  readonly agent: string | undefined
  readonly scheme: string
  /** As the client named it, with a port or without one. */
  readonly host: string | undefined
  readonly version: string
}

const address = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/

const server = (host: string | undefined): Attributes => {
  const [, name, port] = address.exec(host ?? "") ?? []
  if (name === undefined) return {}
  return {
    "server.address": name.replaceAll(/[[\]]/g, "").toLowerCase(),
    ...(port !== undefined && { "server.port": Number(port) })
  }
}

/** What is known when the request arrives. */
export const started = (state: State, { agent, host, scheme, version }: Head): Attributes => ({
  "http.request.method": methods.has(state.method) ? state.method : "_OTHER",
  ...(!methods.has(state.method) && { "http.request.method_original": state.method }),
  "url.scheme": state.forwarded.scheme ?? scheme,
  ...server(state.forwarded.host ?? host),
  "url.path": path(state),
  ...(state.route !== "" && { "http.route": state.route }),
  "network.protocol.version": version,
  "client.address": state.clientAddress,
  ...(agent !== undefined && { "user_agent.original": clip(agent, maxAgent) }),
  "http.response.header.x-request-id": [state.id]
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

/** A failure that no exception explains, such as a response with the status 503: its span has failed, and no more. */
export class Unreported extends Data.TaggedError("Unreported")<{ readonly status: number }> {
  override get message() {
    return `The response has the status ${this.status}.`
  }
}

const longest = 65_536

// A tracer may send the messages anywhere.
const withoutSecrets = ({ cause, secrets }: NonNullable<State["exception"]>): Cause.Cause<unknown> => {
  const [first] = CauseThrowables.all(cause)
  if (first === undefined) return cause
  const hidden = secrets()
  const isSafe = (text: string) => text.length <= longest && Redaction.text(text, hidden) === text
  if ([first, ...first.chain].every(({ message }) => isSafe(message))) return cause
  const safe = ({ class: name, frames, message }: Throwable, causes: ReadonlyArray<Throwable>): Error => {
    const [next, ...rest] = causes
    const error = new Error(Redaction.text(message.slice(0, longest), hidden), next && { cause: safe(next, rest) })
    const lines = frames.map(({ call, column, file, line }) => `\n    at ${call} (${file}:${line}:${column})`)
    const stack = Redaction.text(`${name}: ${error.message}${lines.join("")}`, hidden)
    return Object.assign(error, { _tag: name, name, stack })
  }
  return Cause.die(safe(first, first.chain))
}

/**
 * A status of 500 and more, and a response that broke off, are failures: of the exception that was reported, or `Unreported`.
 * A client that went away is an interruption.
 */
export const exit = (
  { failed, status }: End,
  { exception }: Pick<State, "exception"> = {}
): Exit.Exit<void, unknown> => {
  if (status === undefined) return Exit.interrupt(FiberId.none)
  if (status < 500 && !failed) return Exit.void
  return Exit.failCause(exception === undefined ? Cause.fail(new Unreported({ status })) : withoutSecrets(exception))
}
