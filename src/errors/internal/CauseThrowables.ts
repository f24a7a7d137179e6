// The throwables of a cause.
import { Cause } from "effect"
import { Throwable } from "../Throwable.ts"
import * as Thrown from "./Thrown.ts"

/** Every failure and defect of a cause, in the order in which they happened; empty for an interruption. */
export const all = (cause: Cause.Cause<unknown>): ReadonlyArray<Throwable> => {
  const { found, more } = Thrown.leavesOf(cause)
  const [first, ...rest] = found
  if (first === undefined) return []
  const others = rest.map((leaf) => new Throwable(leaf.value, leaf))
  return [new Throwable(first.value, { ...first, relation: "thrown", others, more }), ...others]
}

/** The throwable of a thrown value or a cause; an `InterruptedException` for a cause that only interrupts. */
export const from = (thrown: unknown): Throwable => {
  if (!Thrown.isCause(thrown)) return new Throwable(thrown)
  return all(thrown)[0] ?? new Throwable(new Cause.InterruptedException("All fibers were interrupted."))
}
