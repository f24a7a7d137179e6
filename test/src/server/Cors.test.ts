import { describe, expect, it } from "@effect/vitest"
import { Duration, Either, FastCheck } from "effect"
import * as Cors from "../../../src/server/internal/Cors.ts"

describe("The origins of a CORS policy", () => {
  it.each(["https://app.example", "http://localhost:5173", "https://app.example:8443", "http://[::1]:8080"])(
    "accept %s",
    (origin) => {
      expect(Either.isRight(Cors.make({ origins: [origin] }))).toBe(true)
    }
  )

  it.each([
    "*",
    "null",
    "",
    "app.example",
    "https://*.app.example/",
    "https://*.app.example",
    "https://app.example/",
    "https://app.example/path",
    "https://App.example",
    "https://app.example:443",
    "https://user@app.example",
    "https://app.example?x",
    " https://app.example",
    "file:///tmp",
    "javascript:alert(1)",
    "https://app.example, https://other.example"
  ])("refuse %j", (origin) => {
    const made = Cors.make({ origins: ["https://app.example", origin] })
    expect(Either.isLeft(made) && made.left).toContain(JSON.stringify(origin))
  })

  it("are at least one, and are kept a number of seconds", () => {
    expect(Either.isLeft(Cors.make({ origins: [] }))).toBe(true)
    expect(Either.isLeft(Cors.make({ origins: ["https://app.example"], maxAge: Duration.infinity }))).toBe(true)
    expect(
      Either.map(Cors.make({ origins: ["https://app.example"], maxAge: "90 seconds" }), ({ maxAge }) => maxAge)
    ).toEqual(Either.right("90"))
  })
})

it("Vary gets a name once, whatever it has", () => {
  expect(Cors.varyByOrigin(undefined)).toBe("Origin")
  expect(Cors.varyByOrigin("Accept")).toBe("Accept, Origin")
  expect(Cors.varyByOrigin("accept, ORIGIN")).toBe("accept, ORIGIN")
  expect(Cors.varyByOrigin("*")).toBe("*")
  FastCheck.assert(
    FastCheck.property(FastCheck.string(), (given) => {
      const once = Cors.varyByOrigin(given)
      expect(Cors.varyByOrigin(once)).toBe(once)
    })
  )
})
