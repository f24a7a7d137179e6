// The throwables of a cause.
import { Cause } from "effect"
import { Throwable } from "../Throwable.ts"
import * as Thrown from "./Thrown.ts"

// The handler and the reporters ask for those of the same cause: the stack of each is read once.
// Not in a `WeakMap`: the young collector of V8 treats its values as reachable, so each error would grow old.
let last: { readonly cause: Cause.Cause<unknown>; readonly throwables: ReadonlyArray<Throwable> } | undefined

const read = (cause: Cause.Cause<unknown>): ReadonlyArray<Throwable> => {
  if (cause._tag === "Die") return [new Throwable(cause.defect, { isDefect: true, node: cause })]
  if (cause._tag === "Fail") return [new Throwable(cause.error, { isDefect: false, node: cause })]
  const { found, more } = Thrown.leavesOf(cause)
  const [first, ...rest] = found
  if (first === undefined) return []
  const others = rest.map((leaf) => new Throwable(leaf.value, leaf))
  return [new Throwable(first.value, { ...first, relation: "thrown", others, more }), ...others]
}

/** Every failure and defect of a cause, in the order in which they happened; empty for an interruption. */
export const all = (cause: Cause.Cause<unknown>): ReadonlyArray<Throwable> => {
  if (last?.cause !== cause) last = { cause, throwables: read(cause) }
  return last.throwables
}

/** The throwable of a thrown value or a cause; an `InterruptedException` for a cause that only interrupts. */
export const from = (thrown: unknown): Throwable => {
  if (!Thrown.isCause(thrown)) return new Throwable(thrown)
  return all(thrown)[0] ?? new Throwable(new Cause.InterruptedException("All fibers were interrupted."))
}
