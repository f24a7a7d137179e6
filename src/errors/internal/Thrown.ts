// Reads any thrown value safely: its class, message, stack and own fields. A proxy or a getter may throw at any access.
import { Cause, Predicate } from "effect"
import * as Expectations from "./Expectations.ts"
import * as Preview from "./Preview.ts"
import { clip } from "../../http/internal/text/SafeText.ts"
import * as Stack from "./Stack.ts"
import { maxChain, maxCount } from "./debug/Omitted.ts"

/** The error inside the proxy that Effect puts around a failure with a span; the same one under every span. */
export const original = (value: unknown): unknown =>
  Preview.get(value, Symbol.for("effect/OriginalAnnotation")) ?? value

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const builtin = /^(?:Eval|Range|Reference|Syntax|Type|URI|Aggregate)?Error$/

/** The class name of any thrown value. */
export const className = (value: unknown): string => {
  if (!Predicate.isObject(value) || typeof value === "function") return value === null ? "null" : typeof value
  const name = text(Preview.get(value, "name")) ?? ""
  const constructor = text(Preview.get(Preview.get(value, "constructor"), "name")) ?? ""
  // A class that does not set `name` inherits the one of the built-in error it extends.
  const own = builtin.test(name) && constructor !== "" ? constructor : name
  return clip(text(Preview.get(value, "_tag")) || own || constructor || "Error", 120)
}

// `instanceof` and `isArray` throw for a hostile or revoked proxy.

/** Whether the value is an `Error`; `false` for a value that throws when it is inspected. */
export const isError = (value: unknown): value is Error => Preview.read(() => value instanceof Error) === true
const isArray = (value: unknown): value is ReadonlyArray<unknown> => Preview.read(() => Array.isArray(value)) === true

/** Whether the value is a `Cause`; `false` for a value that throws when it is inspected. */
export const isCause = (value: unknown): value is Cause.Cause<unknown> =>
  Preview.read(() => Cause.isCause(value)) === true

/** The message of any thrown value. */
export const message = (value: unknown): string => {
  if (typeof value === "string") return value
  // The message of a ParseError repeats the decoded value, which may be a password.
  if (Expectations.isParseError(value)) return Expectations.message(value)
  const given = Preview.get(value, "message")
  if (typeof given === "string") return given
  return isError(value) ? Preview.of(given) : Preview.of(value)
}

/** The frames of a thrown value's stack; empty for a value without one. */
export const frames = (value: unknown): ReadonlyArray<Stack.Frame> =>
  Stack.parse(
    text(Preview.get(value, "stack")) ?? "",
    text(Preview.get(value, "name")) ?? "Error",
    text(Preview.get(value, "message")) ?? ""
  )

const shownElsewhere = new Set(["name", "message", "stack", "cause", "errors", "_tag"])
const maxFields = 200

/** The own fields of a thrown value, without those that are shown elsewhere. */
export const fields = (value: unknown): ReadonlyArray<readonly [name: string, value: unknown]> => {
  if (!Predicate.isObject(value) || isArray(value) || Expectations.isParseError(value)) return []
  const keys = (Preview.read(() => Object.keys(value)) ?? []).filter((key) => !shownElsewhere.has(key))
  return keys.slice(0, maxFields).map((key) => [key, Preview.own(value, key)] as const)
}

const noMembers: { readonly shown: ReadonlyArray<unknown>; readonly more: number } = { shown: [], more: 0 }

/** The members of an `AggregateError`: the first `limit`, and how many more there are. */
export const members = (value: unknown, limit: number) => {
  const errors = Preview.get(value, "errors")
  if (errors === undefined) return noMembers
  const all = isArray(errors) && isError(value) ? errors : []
  const shown = Preview.read(() => all.slice(0, limit)) ?? []
  const count = Preview.read(() => all.length) ?? 0
  return { shown, more: Math.max(0, count - shown.length) }
}

/** How a throwable is related to the first one of its chain. */
export type Relation = "thrown" | "caused by" | "one of" | "in parallel" | "afterwards"

/** One failure or defect. */
interface Leaf {
  readonly value: unknown
  readonly relation: Relation
  readonly isDefect: boolean
  readonly node: object
}

/** The first failures and defects, in the order in which they happened, and how many more there are. */
// A loop instead of recursion: a retried effect can leave a cause of any depth.
export const leavesOf = (
  cause: Cause.Cause<unknown>
): { readonly found: ReadonlyArray<Leaf>; readonly more: number } => {
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
