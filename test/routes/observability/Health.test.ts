import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Health from "../../../routes/observability/Health.ts"
import type * as Environment from "../../../src/config/Environment.ts"
import * as HealthChecks from "../../../src/observability/HealthChecks.ts"
import { NotReady, Readiness } from "../../../src/observability/internal/HealthResult.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import * as Serving from "../../support/Serving.ts"

const get = (path: string) =>
  Effect.flatMap(ServerAddress, ({ url }) =>
    Effect.map(TestClient.make(url).request(path), ({ json, status }) => [status, json])
  )

const disk = (check: HealthChecks.HealthCheck["check"]) => HealthChecks.add({ name: "disk", check })

const serving = (
  check: Effect.Effect<void, NotReady>,
  added: ReturnType<typeof disk>,
  options: { readonly routes?: typeof Health.ready; readonly environment?: Environment.Name } = {}
) =>
  Serving.layer(options.routes ?? Health.ready, { environment: options.environment ?? "production" }).pipe(
    Layer.provide(Layer.succeed(Readiness, { check, part: "database" })),
    Layer.provide(added),
    Layer.provide(HealthChecks.layer)
  )

const timed = { duration_ms: expect.any(Number) }

describe("GET /readyz with checks of the program", () => {
  it.scopedLive("is ready when all of them are, and shows no more", () =>
    Effect.gen(function* () {
      expect(yield* get("/readyz")).toEqual([200, { status: "ready" }])
      expect(yield* get("/readyz?verbose")).toEqual([200, { status: "ready" }])
    }).pipe(Effect.provide(serving(Effect.void, disk(Effect.void))))
  )

  it.scopedLive("names the first that is not, and keeps its reason", () =>
    Effect.gen(function* () {
      expect(yield* get("/readyz")).toEqual([503, { status: "unavailable", part: "disk" }])
    }).pipe(Effect.provide(serving(Effect.void, disk(Effect.fail("/dev/sda1 is full")))))
  )

  it.scopedLive("does not wait for a readiness that hangs and cannot be interrupted", () =>
    Effect.gen(function* () {
      expect(yield* get("/readyz")).toEqual([503, { status: "unavailable", part: "database" }])
    }).pipe(Effect.provide(serving(Effect.uninterruptible(Effect.never), disk(Effect.void))))
  )

  it.scopedLive("lists each of them in development", () =>
    Effect.gen(function* () {
      const checks = [
        { name: "database", status: "failed", ...timed },
        { name: "disk", status: "ok", ...timed }
      ]
      expect(yield* get("/readyz?verbose")).toEqual([503, { status: "unavailable", part: "database", checks }])
      expect(yield* get("/readyz?other=verbose")).toEqual([503, { status: "unavailable", part: "database" }])
    }).pipe(
      Effect.provide(
        serving(new NotReady({ part: "database", reason: "db.internal refused" }), disk(Effect.void), {
          environment: "development"
        })
      )
    )
  )

  const figures = HealthChecks.add({
    name: "jobs",
    check: Effect.void,
    figures: Effect.succeed({ oldest_seconds: 12 })
  })
  const unread = HealthChecks.add({ name: "cache", check: Effect.void, figures: Effect.fail("no cache") })

  it.scopedLive("shows the figures of a check, which do not change the status", () =>
    Effect.gen(function* () {
      const [status, body] = yield* get("/readyz?verbose")
      expect([status, body]).toMatchObject([200, { status: "ready" }])
      const checks = [
        { name: "jobs", status: "ok", oldest_seconds: 12, ...timed },
        { name: "cache", status: "ok", ...timed }
      ]
      expect(body).toHaveProperty("checks", expect.arrayContaining(checks))
    }).pipe(Effect.provide(serving(Effect.void, Layer.merge(figures, unread), { environment: "development" })))
  )

  it.scopedLive("lists them for those whom the program lets see them", () =>
    Effect.gen(function* () {
      expect(yield* get("/readyz?verbose")).toMatchObject([200, { checks: [{ name: "database" }, { name: "disk" }] }])
    }).pipe(
      Effect.provide(
        serving(Effect.void, disk(Effect.void), { routes: Health.readyWith({ details: Effect.succeed(true) }) })
      )
    )
  )
})
