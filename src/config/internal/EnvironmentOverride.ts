// The environment that a fiber has set for its next error response.
import { type Effect, FiberRef } from "effect"
import type { Name } from "./EnvironmentName.ts"

// Belongs to one fiber and is not inherited: a concurrent request cannot take it.
const next = FiberRef.unsafeMake<Name | undefined>(undefined, {
  fork: () => undefined,
  join: (ours, theirs) => theirs ?? ours
})

/** Sets the environment of the next error response of this fiber. */
export const set = (name: Name): Effect.Effect<void> => FiberRef.set(next, name)

/** The environment that was set, once; `undefined` when none was. */
export const take: Effect.Effect<Name | undefined> = FiberRef.getAndSet(next, undefined)
