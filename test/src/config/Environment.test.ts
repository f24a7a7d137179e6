import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, FastCheck, Fiber, Layer } from "effect"
import * as EnvironmentName from "../../../src/config/internal/EnvironmentName.ts"
import * as Environment from "../../../src/config/Environment.ts"

const read = (value: string | undefined) =>
  Environment.Environment.pipe(
    Effect.provide(Environment.layer),
    Effect.withConfigProvider(
      ConfigProvider.fromMap(new Map(value === undefined ? [] : [["FRAMEWORK_ENVIRONMENT", value]]))
    )
  )

describe("Environment", () => {
  it.each([
    ["development", "development"],
    ["staging", "staging"],
    ["test", "test"],
    ["production", "production"],
    [undefined, "production"],
    ["", "production"],
    ["Development", "production"],
    ["DEVELOPMENT", "production"],
    ["development ", "production"],
    [" development", "production"],
    ["development\n", "production"],
    ["develop", "production"],
    ["dev", "production"],
    ["local", "production"],
    ["toString", "production"],
    ["__proto__", "production"]
  ])("maps the name %j to %s", (name, expected) => {
    expect(EnvironmentName.fetch(name)).toBe(expected)
    expect(Effect.runSync(read(name))).toBe(expected)
  })

  it.prop("maps every other name to production", [FastCheck.string()], ([name]) => {
    FastCheck.pre(!EnvironmentName.names.some((known) => known === name))
    expect(EnvironmentName.fetch(name)).toBe("production")
  })

  it.effect("reads the variable once", () =>
    Effect.gen(function* () {
      const values = new Map([["FRAMEWORK_ENVIRONMENT", "staging"]])
      const layer = Layer.provide(Environment.layer, Layer.setConfigProvider(ConfigProvider.fromMap(values)))
      const both = Effect.gen(function* () {
        const first = yield* EnvironmentName.current
        values.set("FRAMEWORK_ENVIRONMENT", "development")
        return [first, yield* EnvironmentName.current]
      })
      expect(yield* Effect.provide(both, layer)).toEqual(["staging", "staging"])
    })
  )

  it.effect("applies an override to the next response only", () =>
    Effect.gen(function* () {
      yield* Environment.override("development")
      expect(yield* EnvironmentName.current).toBe("development")
      expect(yield* EnvironmentName.current).toBe("production")
    }).pipe(Effect.provide(Environment.layerWith("production")))
  )

  it.effect("keeps an override from concurrent fibers", () =>
    Effect.gen(function* () {
      yield* Environment.override("development")
      const others = yield* Effect.forEach(Array.from({ length: 20 }), () => Effect.fork(EnvironmentName.current))
      expect(new Set(yield* Fiber.join(Fiber.all(others)))).toEqual(new Set(["production"]))
      expect(yield* EnvironmentName.current).toBe("development")
    }).pipe(Effect.provide(Environment.layerWith("production")))
  )

  it.effect("brings an override back from a fiber that is joined", () =>
    Effect.gen(function* () {
      yield* Fiber.join(yield* Effect.fork(Environment.override("test")))
      expect(yield* EnvironmentName.current).toBe("test")
    }).pipe(Effect.provide(Environment.layerWith("production")))
  )

  it.effect("gives each concurrent fiber its own override", () =>
    Effect.gen(function* () {
      const one = (name: Environment.Name) =>
        Environment.override(name).pipe(Effect.zipRight(Effect.yieldNow()), Effect.zipRight(EnvironmentName.current))
      const seen = yield* Effect.forEach(EnvironmentName.names, one, { concurrency: "unbounded" })
      expect(seen).toEqual([...EnvironmentName.names])
    }).pipe(Effect.provide(Environment.layerWith("production")))
  )
})
