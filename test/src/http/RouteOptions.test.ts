import { expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as RouteOptions from "../../../src/http/internal/RouteOptions.ts"

const options = FastCheck.record(
  { bodyLimit: FastCheck.nat(), requestTimeout: FastCheck.nat(), multipart: FastCheck.boolean() },
  { requiredKeys: [] }
)

it("has no options until some are added", () => {
  expect(RouteOptions.of({ path: "/" })).toEqual({})
})

it.prop("adds options to a copy: the later ones win and the route stays as it was", [options, options], ([a, b]) => {
  const route = { path: "/photos" }
  const first = RouteOptions.add(route, a)
  const second = RouteOptions.add(first, b)
  expect(RouteOptions.of(second)).toEqual({ ...a, ...b })
  expect(RouteOptions.of(first)).toEqual(a)
  expect(RouteOptions.of(route)).toEqual({})
  expect(second.path).toBe("/photos")
})
