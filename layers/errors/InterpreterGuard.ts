// Effect's interpreter inspects a thrown value before it becomes a defect. A revoked proxy, or one whose trap throws, cannot
// be inspected: the exception leaves the interpreter and ends the process. The guard turns it into a defect.
import { Effect, Predicate } from "effect"

const installed = Symbol.for("effect-framework/errors/InterpreterGuard")

/** The value, or an error in its place when it cannot be inspected. */
const inspectable = (value: unknown): unknown => {
  if (!Predicate.isObject(value)) return value
  try {
    Reflect.has(value, installed)
    return value
  } catch {
    return new TypeError("The thrown value cannot be inspected.")
  }
}

// Whether a fiber is being resumed, which is when Effect starts asynchronous work.
let running = false

const guardLoop = (loop: Function) =>
  function guarded(this: unknown, effect: unknown): unknown {
    const outer = running
    running = true
    try {
      return Reflect.apply(loop, this, [effect])
    } catch (thrown) {
      return guarded.call(this, Effect.die(inspectable(thrown)))
    } finally {
      running = outer
    }
  }

// `Effect.promise` inspects the reason of a rejection in a handler of its own, outside of the interpreter. When that throws,
// the fiber is never resumed, and the process ends with an unhandled rejection. Effect has no hook between the promise and
// its handler: only `then` is there, so handlers that are added while a fiber runs receive a reason that can be inspected.
const guardThen = () => {
  const { then } = Promise.prototype
  const guarded = function (this: unknown, onFulfilled: unknown, onRejected: unknown): unknown {
    const handler =
      running && Predicate.isFunction(onRejected)
        ? (reason: unknown): unknown => onRejected(inspectable(reason))
        : onRejected
    return Reflect.apply(then, this, [onFulfilled, handler])
  }
  Object.defineProperty(guarded, "name", { value: "then" })
  // oxlint-disable-next-line no-extend-native, no-thenable -- it is the native one, around a checked handler
  Object.defineProperty(Promise.prototype, "then", { value: guarded, configurable: true, writable: true })
}

const installOnce: Effect.Effect<void> = Effect.withFiberRuntime((fiber) => {
  const prototype: unknown = Object.getPrototypeOf(fiber)
  if (Predicate.isObject(prototype) && !Reflect.has(prototype, installed)) {
    const loop: unknown = Reflect.get(prototype, "runLoop")
    if (Predicate.isFunction(loop)) {
      Reflect.set(prototype, "runLoop", guardLoop(loop))
      Reflect.set(prototype, installed, true)
      guardThen()
    }
  }
  return Effect.void
})

/**
 * Guards every fiber of this process from its next step on. Costs one `try` for each time a fiber is resumed, and nothing
 * for its steps. The fiber that installs it is resumed once, so that it is guarded too.
 */
export const install: Effect.Effect<void> = Effect.zipRight(installOnce, Effect.yieldNow())
