import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Effect, FastCheck } from "effect"
import { makeRouting } from "../../../layers/server/internal/Routing.ts"

const handler = Effect.succeed(HttpServerResponse.empty())

const routing = makeRouting([
  HttpLayerRouter.route("GET", "/", handler),
  HttpLayerRouter.route("GET", "/articles", handler),
  HttpLayerRouter.route("GET", "/articles/:id", handler),
  HttpLayerRouter.route("POST", "/articles", handler)
])

/** The pattern of the route that was found, or why there is none. */
const result = (method: string, url: string): string => {
  const found = routing(method, url)
  return found._tag === "Found" ? found.route.path : found._tag
}

describe("routing", () => {
  it.each([
    ["GET", "/", "/"],
    ["GET", "/articles", "/articles"],
    ["GET", "/articles?page=2", "/articles"],
    ["HEAD", "/articles", "/articles"],
    ["GET", "/articles/4", "/articles/:id"],
    ["GET", "/Articles", "NotFound"],
    ["GET", "/articles/4/", "NotFound"],
    ["GET", "//articles", "NotFound"],
    ["GET", "/nowhere", "NotFound"],
    ["DELETE", "/articles", "MethodNotAllowed"],
    ["OPTIONS", "/articles", "Options"],
    ["OPTIONS", "*", "Options"],
    ["GET", "*", "Malformed"],
    ["GET", "/%zz", "Malformed"]
  ])("%s %s: %s", (method, url, expected) => {
    expect(result(method, url)).toBe(expected)
  })

  it("decodes parameters and parses the query", () => {
    expect(routing("GET", "/articles/a%20b?tag=x&tag=y")).toMatchObject({
      context: { params: { id: "a b" } },
      query: { tag: ["x", "y"] }
    })
  })

  it("lists the methods of a path, HEAD with GET", () => {
    expect(routing("PUT", "/articles")).toEqual({ _tag: "MethodNotAllowed", allow: ["GET", "HEAD", "POST"] })
  })

  it.prop("finds an exact path only by its exact spelling", [FastCheck.string({ maxLength: 12 })], ([text]) => {
    const path = `/${text.replaceAll(/[?#;]/g, "")}`
    expect(result("POST", path) === "/articles").toBe(path === "/articles")
  })
})
