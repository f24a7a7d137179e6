// A handler behind the Catcher, called without a server; reports are recorded.
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { type Cause, Effect, Layer } from "effect"
import * as TrustedProxies from "../../layers/session/TrustedProxies.ts"
import * as WorkerReporters from "../../layers/errors/WorkerReporters.ts"
import * as Catcher from "../../routes/errors/Catcher.ts"
import type { Services } from "../../routes/errors/Catcher.ts"
import * as Environment from "../../src/config/Environment.ts"
import * as Reporters from "../../src/errors/Reporters.ts"
import * as Sources from "../../src/errors/Sources.ts"
import type { Throwable } from "../../src/errors/Throwable.ts"
import * as ErrorPages from "../../src/errors/ErrorPages.ts"
import { RequestState, RequestStates } from "../../src/http/internal/RequestState.ts"
import * as Fields from "../../src/http/internal/Fields.ts"

export interface RequestOptions {
  readonly environment?: Environment.Name
  readonly accept?: string
  readonly method?: string
  readonly url?: string
  readonly route?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly form?: string
  readonly views?: Layer.Layer<ErrorPages.ErrorPages>
  readonly sources?: Layer.Layer<Sources.Sources>
}

export interface Outcome {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly type: string
  readonly body: string
  readonly reports: ReadonlyArray<{
    readonly throwable: Throwable
    readonly facts: Reporters.ReportContext
    readonly secrets: ReadonlyArray<string>
  }>
}

type Response = HttpServerResponse.HttpServerResponse

/** The response of the effect to this request, and what was reported. */
export const send = (
  effect: Effect.Effect<Response, never, Services>,
  options: RequestOptions = {}
): Effect.Effect<Outcome> =>
  Effect.gen(function* () {
    const { method = "GET", route = "", url = "/" } = options
    const headers = { ...options.headers, ...(options.accept === undefined ? {} : { accept: options.accept }) }
    const request = HttpServerRequest.fromWeb(new Request(`http://localhost${url}`, { method, headers }))
    const head = { method, url, headers: { "x-request-id": "r1", ...headers }, remoteAddress: "192.0.2.7", route }
    const state = (yield* RequestStates).open(head)
    if (options.form !== undefined) state.fields = Fields.fromForm(options.form)
    const reports: Array<Outcome["reports"][number]> = []
    const reporters = yield* Reporters.Reporters
    yield* reporters.add((throwable, facts, secrets) =>
      Effect.sync(() => reports.push({ throwable, facts, secrets: secrets() }))
    )
    const response = yield* effect.pipe(
      Effect.provideService(HttpServerRequest.HttpServerRequest, request),
      Effect.provideService(RequestState, state)
    )
    yield* reporters.settle
    const body = yield* Effect.promise(() => HttpServerResponse.toWeb(response).text())
    return {
      status: response.status,
      headers: response.headers,
      type: response.headers["content-type"] ?? "",
      body,
      reports
    }
  }).pipe(
    Effect.scoped,
    Effect.provide(
      Layer.mergeAll(
        TrustedProxies.layerWith([]),
        WorkerReporters.layer,
        Environment.layerWith(options.environment ?? "production"),
        options.sources ?? Sources.layerNone,
        options.views ?? ErrorPages.layerNone
      )
    )
  )

/** The response to a cause. */
export const respond = (cause: Cause.Cause<unknown>, options: RequestOptions = {}): Effect.Effect<Outcome> =>
  send(Catcher.respond(cause), options)
