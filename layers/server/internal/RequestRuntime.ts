// Runs the fibers of requests: one runtime for all, with the services of each request.
import { type Effect, Equal, type Fiber, FiberId, FiberRef, FiberRefs, Runtime, RuntimeFlags } from "effect"
import type { RequestServices } from "../../../src/http/internal/RequestServices.ts"

// Every fiber copies its references. Those with their initial value are left out, and so is the context: each request
// has its own.
const withoutDefaults = (all: FiberRefs.FiberRefs): FiberRefs.FiberRefs => {
  let kept = all
  for (const ref of FiberRefs.fiberRefs(all)) {
    const isInitial = Equal.equals(FiberRefs.getOrDefault(all, ref), FiberRefs.getOrDefault(FiberRefs.empty(), ref))
    if (isInitial || ref === FiberRef.currentContext) kept = FiberRefs.delete(kept, ref)
  }
  return kept
}

/** Starts a fiber with the services of a request. */
type Fork<R> = <A>(services: RequestServices, effect: Effect.Effect<A, never, R>) => Fiber.RuntimeFiber<A, never>

/** The fork of requests on a runtime. The compiler checks `R` where the app is given to the server. */
export const makeFork = <R>(runtime: Runtime.Runtime<never>): Fork<R> => {
  // What a fork makes of the references is the same for every request: it is computed once, and not by each fork.
  const inherited = Array.from(FiberRefs.forkAs(withoutDefaults(runtime.fiberRefs), FiberId.runtime(0, 0)).locals)
  const options: Runtime.RunForkOptions = {
    updateRefs: (refs) => {
      for (const [ref, values] of inherited) refs.locals.set(ref, values)
      return refs
    }
  }
  const fiberRefs = FiberRefs.empty()
  // Effect's own fiber metrics cost a histogram write for each request; the request events hold more.
  const runtimeFlags = RuntimeFlags.disable(runtime.runtimeFlags, RuntimeFlags.RuntimeMetrics)
  return (services, effect) =>
    Runtime.runFork(Runtime.make({ context: services.context<R>(), fiberRefs, runtimeFlags }), effect, options)
}
