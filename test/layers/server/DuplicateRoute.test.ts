import { HttpLayerRouter } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Layer } from "effect"
import * as DuplicateRoute from "../../../layers/server/internal/DuplicateRoute.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import * as StartupLine from "../../../src/config/internal/StartupLine.ts"
import * as Serving from "../../support/Serving.ts"

const route = (method: "GET" | "POST" | "*", path: `/${string}`) =>
  HttpLayerRouter.route(method, path, Effect.succeed(Respond.text(path)))

describe("Two routes for the same requests", () => {
  it.scopedLive("stop the start with one line that names them", () =>
    Effect.gen(function* () {
      const cause = yield* Layer.build(Serving.layer([route("GET", "/notes"), route("GET", "/notes")])).pipe(
        Effect.sandbox,
        Effect.flip
      )
      expect(StartupLine.line(Cause.squash(cause))).toBe(
        "the route GET /notes is defined twice; remove one of the two (see effect-framework/docs/troubleshooting.md#two-routes)"
      )
    })
  )

  it.each([
    ["GET /a twice", [route("GET", "/a"), route("POST", "/a"), route("GET", "/a")], "GET /a is defined twice"],
    ["another parameter", [route("GET", "/a/:x"), route("GET", "/a/:y")], "GET /a/:x and GET /a/:y match"],
    ["every method", [route("*", "/a"), route("GET", "/a")], "* /a and GET /a match"]
  ])("are found: %s", (_, routes, line) => expect(DuplicateRoute.find(routes)).toContain(line))

  it("are not found where each has its own", () => {
    const routes = [
      route("GET", "/a"),
      route("POST", "/a"),
      route("GET", "/a/:x"),
      route("GET", "/a/b"),
      route("GET", "/A")
    ]
    expect(DuplicateRoute.find(routes)).toBeUndefined()
  })
})
