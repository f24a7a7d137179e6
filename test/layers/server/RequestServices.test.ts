import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Equal, Exit, Scope } from "effect"
import { RequestServices } from "../../../layers/server/RequestServices.ts"

class Pot extends Context.Tag("test/Pot")<Pot, { readonly tea: string }>() {}
class Cup extends Context.Tag("test/Cup")<Cup, { readonly size: number }>() {}

const program = Context.make(Pot, { tea: "green" })

const isScope = (value: unknown): value is Scope.Scope =>
  typeof value === "object" && value !== null && Scope.ScopeTypeId in value

const made = () => {
  const services = new RequestServices(program)
  return { services, context: services.context<Pot | Cup>() }
}

describe("The services of a request", () => {
  it("are those of the program under its own", () => {
    const { context, services } = made()
    expect(Context.get(context, Pot).tea).toBe("green")
    expect(services.has(Cup.key)).toBe(false)
    services.set(Cup.key, { size: 1 }).set(Cup.key, { size: 2 }).set(Pot.key, { tea: "black" })
    expect(Context.get(context, Cup).size).toBe(2)
    expect(Context.get(context, Pot).tea).toBe("black")
    expect(program.unsafeMap.get(Pot.key)).toEqual({ tea: "green" })
  })

  it("are copied whole, each once, when something is added to the context", () => {
    const { context, services } = made()
    services.set(Cup.key, { size: 3 }).set(Pot.key, { tea: "white" })
    class Spoon extends Context.Tag("test/Spoon")<Spoon, string>() {}
    const more = Context.add(context, Spoon, "silver")
    expect(Context.get(more, Pot).tea).toBe("white")
    expect([...more.unsafeMap.keys()].sort()).toEqual([Cup.key, Pot.key, Scope.Scope.key, Spoon.key].sort())
    expect(services.size).toBe(3)
    expect([...services.values()]).toHaveLength(3)
    const seen: Array<string> = []
    services.forEach((_, name) => seen.push(name))
    expect(seen).toEqual([...services.keys()])
  })

  it("have one scope, which is made on first use and closed once", () => {
    const { services } = made()
    expect(services.close(Exit.void)).toBeUndefined()
    const scope = services.get(Scope.Scope.key)
    expect(services.get(Scope.Scope.key)).toBe(scope)
    if (!isScope(scope)) throw new Error("not a scope")
    Effect.runSync(Scope.addFinalizer(scope, Effect.void))
    expect(services.close(Exit.void)).toSatisfy(Effect.isEffect)
  })

  it("make a context that is a context, and equal to itself alone", () => {
    const { context, services } = made()
    expect(Context.isContext(context)).toBe(true)
    expect(Equal.equals(context, context)).toBe(true)
    expect(Equal.equals(context, services.context())).toBe(false)
    expect(Equal.equals(context, Context.make(Pot, { tea: "green" }))).toBe(false)
    expect(context.pipe(Context.get(Pot)).tea).toBe("green")
  })

  it("cannot be removed", () => {
    const { context, services } = made()
    expect(services.delete()).toBe(false)
    services.clear()
    expect(Context.get(context, Pot).tea).toBe("green")
  })
})
