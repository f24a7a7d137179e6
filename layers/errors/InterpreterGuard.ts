// Effect's interpreter inspects a thrown value before it becomes a defect. A revoked proxy throws when it is inspected: the
// exception leaves the interpreter and ends the process. The guard turns it into a defect.
import { Effect, Predicate } from "effect"

const installed = Symbol.for("effect-framework/errors/InterpreterGuard")

const guard = (loop: Function) =>
  function guarded(this: unknown, effect: unknown): unknown {
    try {
      return loop.call(this, effect)
    } catch (thrown) {
      // The engine's own error about the inspection, which is safe to inspect.
      return guarded.call(this, Effect.die(thrown))
    }
  }

/** Guards every fiber of this process, once. Costs one `try` for each time a fiber is resumed, and nothing for its steps. */
export const install: Effect.Effect<void> = Effect.withFiberRuntime((fiber) => {
  const prototype: unknown = Object.getPrototypeOf(fiber)
  if (Predicate.isObject(prototype) && !Reflect.has(prototype, installed)) {
    const loop: unknown = Reflect.get(prototype, "runLoop")
    if (Predicate.isFunction(loop)) {
      Reflect.set(prototype, "runLoop", guard(loop))
      Reflect.set(prototype, installed, true)
    }
  }
  return Effect.void
})
