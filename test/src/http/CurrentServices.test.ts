import { describe, expect, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import * as CurrentServices from "../../../src/http/CurrentServices.ts"

class Tea extends Context.Tag("test/Tea")<Tea, string>() {}

const tea = (services: Context.Context<Tea>): string => Context.get(services, Tea)

describe("CurrentServices", () => {
  it.effect("gives a function the services of the place where the effect runs", () =>
    Effect.gen(function* () {
      const read = CurrentServices.read(tea)
      const used = CurrentServices.use((services: Context.Context<Tea>) => Effect.fail(tea(services)))
      expect(yield* Effect.provideService(read, Tea, "green")).toBe("green")
      expect(yield* Effect.provideService(read, Tea, "black")).toBe("black")
      expect(yield* Effect.flip(Effect.provideService(used, Tea, "cold"))).toBe("cold")
    })
  )

  it.effect("provides services, those of the running fiber too", () =>
    Effect.gen(function* () {
      const read = CurrentServices.read(tea)
      const green = Context.make(Tea, "green")
      expect(yield* CurrentServices.provide(read, green)).toBe("green")
      const again = CurrentServices.use((services: Context.Context<Tea>) => CurrentServices.provide(read, services))
      expect(yield* Effect.provide(again, green)).toBe("green")
      expect(yield* Effect.provideService(CurrentServices.provide(read, green), Tea, "black")).toBe("green")
    })
  )
})
