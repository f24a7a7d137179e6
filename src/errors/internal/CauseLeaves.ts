// The failures and defects of a cause. The only file that walks a Cause.
import type { Cause } from "effect"
import { maxChain, maxCount } from "./debug/Omitted.ts"

/** How a throwable is related to the first one of its chain. */
export type Relation = "thrown" | "caused by" | "one of" | "in parallel" | "afterwards"

/** One failure or defect. */
export interface Leaf {
  readonly value: unknown
  readonly relation: Relation
  readonly isDefect: boolean
  readonly node: object
}

/** The first failures and defects, in the order in which they happened, and how many more there are. */
// A loop instead of recursion: a retried effect can leave a cause of any depth.
export const of = (cause: Cause.Cause<unknown>): { readonly found: ReadonlyArray<Leaf>; readonly more: number } => {
  const found: Array<Leaf> = []
  let more = 0
  const open: Array<readonly [Cause.Cause<unknown>, Relation]> = [[cause, "thrown"]]
  for (let next = open.pop(); next !== undefined && more < maxCount; next = open.pop()) {
    const [node, relation] = next
    if (node._tag === "Parallel") open.push([node.right, "in parallel"], [node.left, relation])
    if (node._tag === "Sequential") open.push([node.right, "afterwards"], [node.left, relation])
    if (node._tag !== "Fail" && node._tag !== "Die") continue
    const isDefect = node._tag === "Die"
    if (found.length > maxChain) more++
    else found.push({ value: isDefect ? node.defect : node.error, relation, isDefect, node })
  }
  return { found, more }
}
