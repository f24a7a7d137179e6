import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as NodeProcessInfo from "../../../layers/observability/NodeProcessInfo.ts"
import * as Info from "../../../routes/observability/Info.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { VERSION } from "../../../src/config/internal/Version.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import * as Serving from "../../support/Serving.ts"

const build = { name: "shop", version: "1.2.3", details: { commit: "abc1234" } }

it.scopedLive("GET /info has the build, the versions and the uptime", () =>
  Effect.gen(function* () {
    const { url } = yield* ServerAddress
    const { headers, json, status } = yield* TestClient.make(url).request("/info")
    expect([status, headers.get("cache-control")]).toEqual([200, "no-store"])
    expect(json).toEqual({
      name: "shop",
      version: "1.2.3",
      commit: "abc1234",
      framework: VERSION,
      node: process.version,
      environment: "production",
      started: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      uptime_seconds: expect.any(Number)
    })
  }).pipe(Effect.provide(Serving.layer(Info.routes(build)).pipe(Layer.provide(NodeProcessInfo.layer))))
)
