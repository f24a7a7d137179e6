import { FetchHttpClient, HttpClient, HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as HttpClientMetrics from "../../../layers/observability/HttpClientMetrics.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import { isDistribution } from "../../../src/observability/internal/snapshot/Series.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as Serving from "../../support/Serving.ts"

const routes = [
  HttpLayerRouter.route("GET", "/ok", Effect.succeed(HttpServerResponse.text("hello"))),
  HttpLayerRouter.route("POST", "/ok", Effect.succeed(HttpServerResponse.empty({ status: 503 })))
]

const counts = Effect.gen(function* () {
  const { gather } = yield* Observability
  const series = (yield* gather).metrics.get("http_client_duration_seconds")?.series ?? []
  return Object.fromEntries(series.map((item) => [item.labels.text, isDistribution(item) ? item.count : Number.NaN]))
})

const layer = (limit: number) =>
  HttpClientMetrics.layerWith({ limit }).pipe(
    Layer.provide(FetchHttpClient.layer),
    Layer.provideMerge(WorkerObservability.layerWith({ collectors: false })),
    Layer.provideMerge(Serving.layer(routes))
  )

describe("the HTTP client", () => {
  it.scopedLive("is measured by host, method and class, and by none where no response came", () =>
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      const { url } = yield* ServerAddress
      const { host } = new URL(url)
      const response = yield* client.get(`${url}/ok?token=secret`)
      expect(yield* response.text).toBe("hello")
      yield* client.post(`${url}/ok`)
      yield* client.get(`${url}/ok`)
      yield* Effect.ignore(client.get("http://127.0.0.1:1/"))
      yield* Effect.ignore(client.get("not an address"))
      expect(yield* counts).toEqual({
        [`class="2xx",host="${host}",method="GET"`]: 2,
        [`class="5xx",host="${host}",method="POST"`]: 1,
        'class="none",host="127.0.0.1:1",method="GET"': 1,
        'class="none",host="none",method="GET"': 1
      })
    }).pipe(Effect.provide(layer(10)))
  )

  it.scopedLive("is bounded though the hosts come from users", () =>
    Effect.gen(function* () {
      const client = yield* HttpClient.HttpClient
      for (let port = 1; port <= 4; port++) yield* Effect.ignore(client.get(`http://127.0.0.1:${port}/`))
      const all = yield* counts
      expect(Object.keys(all)).toHaveLength(3)
      expect(all['overflow="true"']).toBe(2)
    }).pipe(Effect.provide(layer(2)))
  )
})
