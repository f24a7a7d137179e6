// Sends a request to a handler behind the whole pipeline, without a server, from browsers that keep their cookies.
import { HttpLayerRouter, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Layer } from "effect"
import * as TrustedProxies from "../../../layers/session/TrustedProxies.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as Environment from "../../../src/config/Environment.ts"
import * as Reporters from "../../../src/errors/Reporters.ts"
import * as Sources from "../../../src/errors/Sources.ts"
import * as ErrorPages from "../../../src/errors/ErrorPages.ts"
import { RequestState, RequestStates } from "../../../src/http/internal/RequestState.ts"
import type { Browser } from "../../layers/auth/Stores.ts"
import { messages } from "../../support/Serving.ts"
import { unchecked } from "../../support/Unchecked.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

export interface RequestParts {
  readonly browser?: Browser
  readonly url?: string
  readonly method?: "GET" | "HEAD" | "POST" | "PUT" | "DELETE"
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: Readonly<Record<string, string>> | string
  readonly json?: unknown
  readonly peer?: string
}

export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The `Set-Cookie` lines. */
  readonly lines: ReadonlyArray<string>
}

const services = Layer.mergeAll(
  Environment.layerWith("production"),
  Reporters.layerNone,
  Sources.layerNone,
  ErrorPages.layerNone,
  TrustedProxies.layerWith([]),
  messages
)

const bodyOf = ({ form, json }: RequestParts): readonly [string | undefined, string | undefined] => {
  if (json !== undefined) return [JSON.stringify(json), "application/json"]
  if (form === undefined) return [undefined, undefined]
  const text = typeof form === "string" ? form : new URLSearchParams(form).toString()
  return [text, "application/x-www-form-urlencoded"]
}

const requestOf = (parts: RequestParts): Request => {
  const [body, contentType] = bodyOf(parts)
  const { browser, method = body === undefined ? "GET" : "POST", url = "/" } = parts
  const headers = new Headers({ host: "localhost:8087" })
  if (contentType !== undefined) headers.set("content-type", contentType)
  if (body !== undefined) headers.set("content-length", String(Buffer.byteLength(body)))
  if (browser?.header !== undefined) headers.set("cookie", browser.header)
  for (const [name, value] of Object.entries(parts.headers ?? {})) headers.set(name, value)
  return new Request(`http://localhost:8087${url}`, { method, headers, ...(body === undefined ? {} : { body }) })
}

/** The response of the handler behind all steps of the pipeline. */
export const send = <E, R>(handler: Handler<E, R>, parts: RequestParts = {}) =>
  Effect.gen(function* () {
    const web = requestOf(parts)
    const [page] = Pipeline.pages(unchecked([HttpLayerRouter.route("*", "/", handler)]))
    const { open } = yield* RequestStates
    const state = open({
      method: web.method,
      url: parts.url ?? "/",
      headers: Object.fromEntries(web.headers),
      remoteAddress: parts.peer ?? "192.0.2.1",
      route: "/"
    })
    if (page === undefined) return yield* Effect.dieMessage("no route")
    const response = yield* page.handler.pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, HttpServerRequest.fromWeb(web)),
      Effect.provideService(RequestState, state),
      Effect.scoped
    )
    const lines = [...state.cookies.values()]
    parts.browser?.store(lines)
    const body = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
    const received: Received = {
      status: response.status,
      headers: { ...response.headers, ...Object.fromEntries(state.headers) },
      body,
      lines
    }
    return received
  }).pipe(Effect.provide(services))
