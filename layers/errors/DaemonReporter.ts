// Reports the failures of fibers that nobody joins, such as a daemon that dies.
import { Cause, Context, Effect, type Exit, type Fiber, FiberRef, Layer, Option, Runtime, Supervisor } from "effect"
import { Reporters } from "../../src/errors/Reporters.ts"
import * as RequestContext from "../../src/errors/RequestContext.ts"
import { Exchange } from "../../src/http/Exchange.ts"

type AnyFiber = Fiber.RuntimeFiber<unknown, unknown>

// Milliseconds in which a failed fiber may still be joined.
const grace = 1000

// Effect's own observers of a fiber that ends. Any other one reads the exit: a join, a callback, the parent of a fork. An
// unknown observer counts as a reader: in doubt nothing is reported.
const bookkeeping = /\.onEnd\(|\.roots\.delete\(|\.finalizers\.delete\(/

const isObserved = (fiber: AnyFiber): boolean => {
  const observers: unknown = Reflect.get(fiber, "_observers")
  if (!Array.isArray(observers)) return true
  return !observers.every((observer) => bookkeeping.test(Function.prototype.toString.call(observer)))
}

/** Calls back when the exit of an ended fiber is read, which every join and poll does. */
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

class FailureSupervisor extends Supervisor.AbstractSupervisor<void> {
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

  // With the context of the fiber: a failure that its request has already reported is not reported again.
  const report = (fiber: AnyFiber, cause: Cause.Cause<unknown>): void => {
    const context = fiber.getFiberRef(FiberRef.currentContext)
    const exchange = Option.getOrUndefined(Context.getOption(context, Exchange))
    const request = exchange === undefined ? {} : RequestContext.of(exchange)
    Runtime.runFork(runtime, Effect.provide(reporters.notify(cause, request), context))
  }

  const failed = (fiber: AnyFiber, exit: Exit.Failure<unknown, unknown>): void => {
    const end = () => {
      clearTimeout(timer)
      restore()
      waiting.delete(fiber)
    }
    const reportNow = () => {
      end()
      report(fiber, exit.cause)
    }
    const timer = setTimeout(reportNow, grace)
    timer.unref()
    const restore = onRead(fiber, exit, end)
    waiting.set(fiber, reportNow)
  }

  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      for (const reportNow of waiting.values()) reportNow()
    })
  )
  return new FailureSupervisor(failed)
})

/**
 * Reports a fiber of `forkDaemon`, `forkScoped`, `forkIn` or `runFork` that fails or dies and is not joined within a
 * second. An interruption is not a failure; a fiber of `fork` belongs to its parent.
 */
export const layer: Layer.Layer<never, never, Reporters> = Layer.unwrapScoped(
  Effect.map(make, (supervisor) => Supervisor.addSupervisor(supervisor))
)
