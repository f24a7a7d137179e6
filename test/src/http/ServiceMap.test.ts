import { expect, it } from "@effect/vitest"
import { Context, Effect, Equal } from "effect"
import { ServiceMap } from "../../../src/http/ServiceMap.ts"

class Pot extends Context.Tag("test/Pot")<Pot, string>() {}
class Cup extends Context.Tag("test/Cup")<Cup, string>() {}

/** Every service is its own name. */
class Names extends ServiceMap {
  readonly names: ReadonlyArray<string>
  constructor(...names: ReadonlyArray<string>) {
    super()
    this.names = names
  }
  get(name: string): unknown {
    return this.has(name) ? name : undefined
  }
  has(name: string): boolean {
    return this.names.includes(name)
  }
  all(): Array<[string, unknown]> {
    return this.names.map((name) => [name, name])
  }
}

it.effect("A context over services that are somewhere else reads, and is copied whole when something is added", () =>
  Effect.gen(function* () {
    const services = new Names(Pot.key)
    expect(yield* Effect.provide(Pot, services.context<Pot>())).toBe(Pot.key)
    const more = Context.add(services.context<Pot>(), Cup, "blue")
    expect([...more.unsafeMap]).toEqual([
      [Pot.key, Pot.key],
      [Cup.key, "blue"]
    ])
    expect(Context.getOption(services.context(), Cup)._tag).toBe("None")
  })
)

it("It is equal to itself alone, and cannot be changed", () => {
  const services = new Names(Pot.key)
  expect(Context.isContext(services.context())).toBe(true)
  expect(Equal.equals(services.context(), services.context())).toBe(false)
  services.set(Cup.key, "blue").clear()
  expect([services.delete(), services.size, [...services.keys()], [...services.values()]]).toEqual([
    false,
    1,
    [Pot.key],
    [Pot.key]
  ])
})
