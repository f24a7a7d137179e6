import { expect, it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber } from "effect"
import * as ContextOverlay from "../../../routes/http/ContextOverlay.ts"

class Pot extends Context.Tag("test/Pot")<Pot, string>() {}
class Cup extends Context.Tag("test/Cup")<Cup, string>() {}
class Spoon extends Context.Tag("test/Spoon")<Spoon, string>() {}

const either = <I>(tag: Context.Tag<I, string>) =>
  Effect.map(Effect.serviceOption(tag), (found) => (found._tag === "Some" ? found.value : "-"))
const found = Effect.map(Effect.all([either(Pot), either(Cup), either(Spoon)]), (all) => all.join(" "))
const layered = Context.make(Pot, "layer").pipe(Context.add(Cup, "layer"))
const inRequest = Effect.provideService(Pot, "request")

it.effect("Services below those of the request are found where it has none", () =>
  Effect.gen(function* () {
    expect(yield* ContextOverlay.under(found, layered).pipe(inRequest)).toBe("request layer -")
  })
)

it.effect("A provided service takes the place of another, also in what is started and added inside", () =>
  Effect.gen(function* () {
    const forked = Effect.flatMap(Effect.fork(Effect.provideService(found, Spoon, "inner")), Fiber.join)
    const effect = ContextOverlay.provided(ContextOverlay.under(forked, layered), Cup, "own")
    expect(yield* inRequest(effect)).toBe("request own inner")
  })
)

it.effect("The services end with the effect, whether it succeeds, fails or dies", () =>
  Effect.gen(function* () {
    const ends: ReadonlyArray<Effect.Effect<unknown, string>> = [
      Effect.void,
      Effect.fail("failed"),
      Effect.die("defect"),
      Effect.interrupt
    ]
    for (const end of ends) {
      const after = Effect.zipRight(
        Effect.exit(ContextOverlay.under(ContextOverlay.provided(end, Spoon, "x"), layered)),
        found
      )
      expect(yield* inRequest(after)).toBe("request - -")
    }
  })
)

it.effect("A request that is interrupted has its own services in its finalizers", () =>
  Effect.gen(function* () {
    const started = yield* Deferred.make<void>()
    const seen = yield* Deferred.make<string>()
    const waiting = ContextOverlay.under(Effect.zipRight(Deferred.succeed(started, undefined), Effect.never), layered)
    const finalized = Effect.onInterrupt(waiting, () => Effect.flatMap(found, (text) => Deferred.succeed(seen, text)))
    const fiber = yield* Effect.fork(inRequest(finalized))
    yield* Deferred.await(started)
    expect(Exit.isInterrupted(yield* Fiber.interrupt(fiber))).toBe(true)
    expect(yield* Deferred.await(seen)).toMatch(/^request /)
  })
)
