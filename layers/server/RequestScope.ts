// The scopes of requests, made in advance and closed without a fiber where nothing was registered: most are passed on to a
// handler that adds no finalizer, and a fiber to make one and another to close it would cost a tenth of a small response.
import { Effect, type Exit, Scope } from "effect"

const batch = Effect.replicateEffect(Scope.make(), 64)

let ready: Array<Scope.CloseableScope> = []

/** A scope that nobody has used. */
export const make = (): Scope.CloseableScope => {
  const scope = ready.pop()
  if (scope !== undefined) return scope
  ready = Effect.runSync(batch)
  return make()
}

type Internal = Scope.CloseableScope & { state?: { readonly _tag?: unknown; readonly finalizers?: unknown } }

// A boundary: how Effect represents a scope is not part of its types.
const closeEmpty = (scope: Internal, exit: Exit.Exit<unknown, unknown>): boolean => {
  const { state } = scope
  if (state?._tag !== "Open" || !(state.finalizers instanceof Map) || state.finalizers.size > 0) return false
  const closed = { _tag: "Closed", exit }
  scope.state = closed
  return true
}

/** Whether scopes are represented as expected: a finalizer of an open one waits, and of a closed one runs at once. */
const isKnown = Effect.runSync(
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    let runs = 0
    const finalizer = Effect.sync(() => void runs++)
    if (!closeEmpty(scope, yield* Effect.exit(Effect.void))) return false
    yield* Scope.addFinalizer(scope, finalizer)
    const used = yield* Scope.make()
    yield* Scope.addFinalizer(used, finalizer)
    return runs === 1 && !closeEmpty(used, yield* Effect.exit(Effect.void))
  })
)

/** Closes a scope; what is left to run, or `undefined` where it had no finalizers. */
export const close = (
  scope: Scope.CloseableScope,
  exit: Exit.Exit<unknown, unknown>
): Effect.Effect<void> | undefined => (isKnown && closeEmpty(scope, exit) ? undefined : Scope.close(scope, exit))
