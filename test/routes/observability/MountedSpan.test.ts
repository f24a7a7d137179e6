// Routes of the framework on Effect's stock server, which opens a span for each request by itself.
import { HttpLayerRouter, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import * as Mount from "../../../layers/server/Mount.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import { eventually } from "../../support/Eventually.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"
import * as Serving from "../../support/Serving.ts"

class Mounted extends Context.Tag("test/Mounted")<Mounted, { readonly url: string }>() {}

const verifier = "f".repeat(64)

const route = HttpLayerRouter.route(
  "GET",
  "/reset/:selector/:verifier",
  Effect.map(RequestState, (state) => {
    state.account = "a1"
    return Respond.json({ trace: state.trace?.traceId })
  })
)

const mounted = Layer.effect(
  Mounted,
  Effect.map(HttpServer.HttpServer, ({ address }) => ({
    url: `http://127.0.0.1:${address._tag === "TcpAddress" ? address.port : 0}`
  }))
).pipe(
  Layer.provide(
    HttpLayerRouter.serve(HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.stateless([route]))), {
      disableLogger: true
    })
  ),
  Layer.provide(Serving.support()),
  Layer.provide(NodeHttpServer.layer(Mount.createServer, { port: 0, host: "127.0.0.1" })),
  Layer.provideMerge(RecordedSpans.layer)
)

layer(mounted, { excludeTestServices: true })("The span of the stock server", (it) => {
  it.effect("has the pattern of the route, the account, and no secret", () =>
    Effect.gen(function* () {
      const { url } = yield* Mounted
      const response = yield* Effect.promise(() =>
        fetch(`${url}/reset/abc/${verifier}?token=${verifier}`, {
          headers: { referer: `${url}/reset/abc/${verifier}`, "x-csrf-token": verifier }
        })
      )
      const { trace } = yield* Effect.promise(() => response.json() as Promise<{ trace: string }>)
      const spans = yield* RecordedSpans.RecordedSpans
      const [span] = yield* eventually(
        Effect.sync(() => spans.filter((span) => span.kind === "server" && RecordedSpans.isEnded(span))),
        (found) => found.length > 0
      )
      expect(span?.traceId).toBe(trace)
      expect(Object.fromEntries(span?.attributes ?? [])).toMatchObject({
        "http.route": "/reset/:selector/:verifier",
        "url.path": "/reset/:selector/:verifier",
        "http.response.status_code": 200,
        "user.id": "a1"
      })
      expect(JSON.stringify([...(span?.attributes ?? [])])).not.toContain(verifier)
    })
  )
})
