import { HttpServerRequest } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Option } from "effect"
import * as RequestService from "../../../routes/http/RequestService.ts"

class Tea extends Context.Tag("test/Tea")<Tea, string>() {}

const tea = RequestService.provide(Tea, Tea, "green")

const request = HttpServerRequest.fromWeb(new Request("http://localhost/"))

describe("RequestService", () => {
  it.effect("provides a service inside a request", () =>
    Effect.gen(function* () {
      expect(yield* Effect.provideService(tea, HttpServerRequest.HttpServerRequest, request)).toBe("green")
    })
  )

  it.effect("reaches no other request", () =>
    Effect.gen(function* () {
      yield* Effect.provideService(tea, HttpServerRequest.HttpServerRequest, request)
      const other = Effect.provideService(Effect.serviceOption(Tea), HttpServerRequest.HttpServerRequest, request)
      expect(yield* other).toEqual(Option.none())
    })
  )

  it.effect("leaves the program's services alone outside a request", () =>
    Effect.gen(function* () {
      expect(yield* tea).toBe("green")
      expect(yield* Effect.serviceOption(Tea)).toEqual(Option.none())
    })
  )
})
