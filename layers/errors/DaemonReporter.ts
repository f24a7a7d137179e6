// A daemon that dies tells nobody: its failure is held by a fiber that no one looks at. Here the reporters hear of it.
import { Cause, Context, Effect, type Exit, type Fiber, FiberRef, Layer, Option, Runtime, Supervisor } from "effect"
import { Reporters } from "../../src/errors/Reporters.ts"
import * as RequestContext from "../../src/errors/RequestContext.ts"
import { Exchange } from "../../src/http/Exchange.ts"

type AnyFiber = Fiber.RuntimeFiber<unknown, unknown>

// Milliseconds in which a failed fiber may still be joined.
const grace = 1000

// What Effect itself does when a fiber of the global scope, or of a scope, ends. Anything else is someone who looks at the
// exit: a join, a callback, the parent of a fork. What is not recognised counts as one, so that at worst nothing is told.
const bookkeeping = /\.onEnd\(|\.roots\.delete\(|\.finalizers\.delete\(/

const isObserved = (fiber: AnyFiber): boolean => {
  const observers: unknown = Reflect.get(fiber, "_observers")
  if (!Array.isArray(observers)) return true
  return !observers.every((observer) => bookkeeping.test(Function.prototype.toString.call(observer)))
}

/** Calls back when anyone reads the exit of a fiber that has ended: every way to join or poll it does. */
const onRead = (fiber: AnyFiber, exit: Exit.Exit<unknown, unknown>, read: () => void): (() => void) => {
  const restore = () =>
    void Object.defineProperty(fiber, "_exitValue", {
      value: exit,
      configurable: true,
      enumerable: true,
      writable: true
    })
  Object.defineProperty(fiber, "_exitValue", {
    configurable: true,
    enumerable: true,
    get: () => {
      restore()
      read()
      return exit
    }
  })
  return restore
}

class Watching extends Supervisor.AbstractSupervisor<void> {
  override readonly value = Effect.void
  readonly #failed: (fiber: AnyFiber, exit: Exit.Failure<unknown, unknown>) => void

  constructor(failed: (fiber: AnyFiber, exit: Exit.Failure<unknown, unknown>) => void) {
    super()
    this.#failed = failed
  }

  override onEnd<A, E>(exit: Exit.Exit<A, E>, fiber: Fiber.RuntimeFiber<A, E>): void {
    if (exit._tag === "Failure" && !Cause.isInterruptedOnly(exit.cause) && !isObserved(fiber)) this.#failed(fiber, exit)
  }
}

const make = Effect.gen(function* () {
  const reporters = yield* Reporters
  const runtime = yield* Effect.runtime<never>()
  const waiting = new Map<AnyFiber, () => void>()

  // With the context of the fiber, so that a request which has already told of the failure does not do so again.
  const report = (fiber: AnyFiber, cause: Cause.Cause<unknown>): void => {
    const context = fiber.getFiberRef(FiberRef.currentContext)
    const exchange = Option.getOrUndefined(Context.getOption(context, Exchange))
    const facts = exchange === undefined ? {} : RequestContext.of(exchange)
    Runtime.runFork(runtime, Effect.provide(reporters.notify(cause, facts), context))
  }

  const failed = (fiber: AnyFiber, exit: Exit.Failure<unknown, unknown>): void => {
    const end = () => {
      clearTimeout(timer)
      restore()
      waiting.delete(fiber)
    }
    const tell = () => {
      end()
      report(fiber, exit.cause)
    }
    const timer = setTimeout(tell, grace)
    timer.unref()
    const restore = onRead(fiber, exit, end)
    waiting.set(fiber, tell)
  }

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const tell of waiting.values()) tell()
    })
  )
  return new Watching(failed)
})

/**
 * Reports a fiber of `forkDaemon`, `forkScoped`, `forkIn` or `runFork` that fails or dies and that nobody joins within a
 * second. An interruption is no failure; a fiber of `fork` belongs to its parent.
 */
export const layer: Layer.Layer<never, never, Reporters> = Layer.unwrapScoped(
  Effect.map(make, (watching) => Supervisor.addSupervisor(watching))
)
