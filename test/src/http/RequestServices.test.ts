import { describe, expect, it } from "@effect/vitest"
import { Context, Deferred, Effect, ExecutionStrategy, Exit, Fiber, Scope } from "effect"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

class Pot extends Context.Tag("test/Pot")<Pot, string>() {}
class Cup extends Context.Tag("test/Cup")<Cup, string>() {}
class Spoon extends Context.Tag("test/Spoon")<Spoon, string>() {}

const { provideBelow, provideService } = RequestServices

const either = <I>(tag: Context.Tag<I, string>) =>
  Effect.map(Effect.serviceOption(tag), (found) => (found._tag === "Some" ? found.value : "-"))
const found = Effect.map(Effect.all([either(Pot), either(Cup), either(Spoon)]), (all) => all.join(" "))
const layered = Context.make(Pot, "layer").pipe(Context.add(Cup, "layer"))
const inRequest = Effect.provideService(Pot, "request")

const made = (program: Context.Context<never> = Context.make(Pot, "program")) => {
  const services = new RequestServices.RequestServices(program)
  return { services, context: services.context<Pot | Cup | Scope.Scope>() }
}

describe("The services of a request", () => {
  it("are its own over those of the program", () => {
    const program = Context.make(Pot, "program")
    const { context, services } = made(program)
    expect(Context.get(context, Pot)).toBe("program")
    expect(RequestServices.has(context, Cup)).toBe(false)
    services.add(Cup, "first")
    services.add(Cup, "second")
    services.add(Pot, "own")
    expect([Context.get(context, Cup), Context.get(context, Pot), Context.get(program, Pot)]).toEqual([
      "second",
      "own",
      "program"
    ])
  })

  it("are copied whole, each once, when something is added to the context", () => {
    const { context, services } = made()
    services.add(Cup, "own")
    services.add(Pot, "own")
    const more = Context.add(context, Spoon, "silver")
    expect(Context.get(more, Pot)).toBe("own")
    const names = [Cup.key, Pot.key, Scope.Scope.key].sort()
    expect([...more.unsafeMap.keys()].sort()).toEqual([...names, Spoon.key].sort())
    const seen: Array<string> = []
    services.forEach((_, name) => seen.push(name))
    expect([services.size, [...services.values()].length, [...services.keys()].sort(), seen.sort()]).toEqual([
      3,
      3,
      names,
      names
    ])
  })

  it("cannot be changed by way of their context", () => {
    const { context } = made()
    context.unsafeMap.set(Pot.key, "other")
    context.unsafeMap.delete(Pot.key)
    context.unsafeMap.clear()
    expect(Context.get(context, Pot)).toBe("program")
  })
})

describe("The scope of a request", () => {
  it("is opened when it is asked for, once, and is not that of the program", () => {
    const { services } = made()
    expect(services.close(Exit.void)).toBeUndefined()
    const ofProgram = Effect.runSync(Scope.make())
    const { context } = made(Context.make(Scope.Scope, ofProgram))
    const scope = Context.get(context, Scope.Scope)
    expect(scope).not.toBe(ofProgram)
    expect(Context.get(context, Scope.Scope)).toBe(scope)
  })

  it.effect(
    "runs its finalizers in reverse order, with the exit, once, and those of scopes that were forked from it",
    () =>
      Effect.gen(function* () {
        const { context, services } = made()
        const seen: Array<unknown> = []
        const scope = Context.get(context, Scope.Scope)
        const note = (name: string) => (exit: unknown) => Effect.sync(() => seen.push([name, exit]))
        yield* Scope.addFinalizerExit(scope, note("first"))
        yield* Scope.addFinalizerExit(yield* Scope.fork(scope, ExecutionStrategy.sequential), note("forked"))
        const exit = Exit.fail("gone")
        yield* services.close(exit) ?? Effect.void
        yield* services.close(exit) ?? Effect.void
        expect(seen).toEqual([
          ["forked", exit],
          ["first", exit]
        ])
      })
  )

  it.effect("is closed from the start when it is first asked for after the response", () =>
    Effect.gen(function* () {
      const { context, services } = made()
      const seen: Array<unknown> = []
      services.close(Exit.succeed("sent"))
      yield* Scope.addFinalizerExit(Context.get(context, Scope.Scope), (exit) => Effect.sync(() => seen.push(exit)))
      expect(seen).toEqual([Exit.succeed("sent")])
    })
  )
})

describe("What is provided to an effect", () => {
  it.effect("takes the place of another service, also in what is started and added inside", () =>
    Effect.gen(function* () {
      const forked = Effect.flatMap(Effect.fork(Effect.provideService(found, Spoon, "inner")), Fiber.join)
      const effect = provideService(provideBelow(forked, layered), Cup, "own")
      expect(yield* inRequest(effect)).toBe("request own inner")
    })
  )

  it.effect("is found below the services of the request where it has none", () =>
    Effect.gen(function* () {
      expect(yield* inRequest(provideBelow(found, layered))).toBe("request layer -")
    })
  )

  it.effect("ends with the effect, whether it succeeds, fails, dies or is interrupted", () =>
    Effect.gen(function* () {
      const ends: ReadonlyArray<Effect.Effect<unknown, string>> = [
        Effect.void,
        Effect.fail("failed"),
        Effect.die("defect"),
        Effect.interrupt
      ]
      for (const end of ends) {
        const inside = Effect.exit(provideBelow(provideService(end, Spoon, "x"), layered))
        expect(yield* inRequest(Effect.zipRight(inside, found))).toBe("request - -")
      }
    })
  )

  it.effect("is not seen by a sibling that runs at the same time, or by what goes on when it is interrupted", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const seen = yield* Deferred.make<string>()
      const waiting = Effect.zipRight(Deferred.succeed(started, undefined), Effect.never)
      const provided = provideService(provideBelow(waiting, layered), Pot, "inner")
      const finalized = Effect.onInterrupt(provided, () =>
        Effect.flatMap(found, (text) => Deferred.succeed(seen, text))
      )
      const both = Effect.all(
        [finalized, Effect.zipRight(Deferred.await(started), Effect.flatMap(found, Effect.fail))],
        {
          concurrency: "unbounded"
        }
      )
      expect(yield* Effect.flip(inRequest(both))).toBe("request - -")
      expect(yield* Deferred.await(seen)).toBe("request - -")
    })
  )
})
