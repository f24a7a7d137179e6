import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as ProgramLog from "../../../layers/observability/ProgramLog.ts"
import * as Environment from "../../../src/config/Environment.ts"

const written = (environment: Environment.Name, logs: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const texts: Array<string> = []
    const log = ProgramLog.layerWith({ write: (text) => void texts.push(text) })
    yield* Effect.provide(logs, Layer.provide(log, Environment.layerWith(environment)))
    return texts
  })

describe("ProgramLog", () => {
  it.effect("writes a line for people in development", () =>
    Effect.gen(function* () {
      const texts = yield* written("development", Effect.logWarning("The kettle is empty"))
      expect(texts).toEqual([expect.stringMatching(/^\d\d:\d\d:\d\d WARN The kettle is empty\n$/)])
    })
  )

  it.effect.each(["production", "staging", "test"] as const)("writes a JSON object a line in %s", (environment) =>
    Effect.gen(function* () {
      const logs = Effect.zipRight(Effect.logWarning("The kettle is empty"), Effect.logError("No tea"))
      const texts = yield* written(environment, logs)
      expect(texts.map((text) => JSON.parse(text))).toMatchObject([
        { level: "WARN", message: "The kettle is empty" },
        { level: "ERROR", message: "No tea" }
      ])
      expect(texts.every((text) => text.endsWith("\n"))).toBe(true)
    })
  )

  it.effect("reaches what a fiber logs that outlives its parent", () =>
    Effect.gen(function* () {
      const texts = yield* written(
        "production",
        Effect.flatMap(Effect.forkDaemon(Effect.logInfo("later")), (fiber) => fiber.await)
      )
      expect(texts).toHaveLength(1)
    })
  )
})
