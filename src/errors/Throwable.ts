// Any cause and any thrown value as one thing that can be shown. The only file that walks a Cause.
import { Cause, Predicate } from "effect"
import { clip } from "./Plain.ts"
import * as Preview from "./Preview.ts"
import * as Spans from "./Spans.ts"
import * as Stack from "./Stack.ts"

/** How a throwable came to stand behind the first. */
export type Relation = "thrown" | "caused by" | "one of" | "in parallel" | "afterwards"

/** At most this many throwables are shown behind the first. */
export const depth = 5

/** A failure with a span is a proxy around the error: this is the error, the same one under every span. */
export const original = (value: unknown): unknown =>
  Preview.get(value, Symbol.for("effect/OriginalAnnotation")) ?? value

const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined)

const builtin = /^(?:Eval|Range|Reference|Syntax|Type|URI|Aggregate)?Error$/

/** The name of the class of anything that can be thrown. */
export const className = (value: unknown): string => {
  if (!Predicate.isObject(value) || typeof value === "function") return value === null ? "null" : typeof value
  const name = text(Preview.get(value, "name")) ?? ""
  const made = text(Preview.get(Preview.get(value, "constructor"), "name")) ?? ""
  // A class that does not set `name` inherits the one of the built-in error it extends.
  const said = builtin.test(name) && made !== "" ? made : name
  return clip(text(Preview.get(value, "_tag")) || said || made || "Error", 120)
}

// Even to ask what a value is may throw: a proxy can be hostile or revoked.
const isError = (value: unknown): value is Error => Preview.read(() => value instanceof Error) === true
const isArray = (value: unknown): value is ReadonlyArray<unknown> => Preview.read(() => Array.isArray(value)) === true
const isCause = (value: unknown): value is Cause.Cause<unknown> => Preview.read(() => Cause.isCause(value)) === true

const messageOf = (value: unknown): string => {
  if (typeof value === "string") return value
  const message = Preview.get(value, "message")
  if (typeof message === "string") return message
  return isError(value) ? Preview.of(message) : Preview.of(value)
}

const told = new Set(["name", "message", "stack", "cause", "errors", "_tag"])

/** What was thrown. The stack and what hangs on it are read when someone asks: a production answer never does. */
export class Throwable {
  readonly relation: Relation
  /** What was thrown, out of the proxy that Effect puts around it. */
  readonly value: unknown
  readonly #given: unknown
  readonly #others: ReadonlyArray<Throwable>
  #frames: ReadonlyArray<Stack.Frame> | undefined

  constructor(value: unknown, relation: Relation = "thrown", others: ReadonlyArray<Throwable> = []) {
    this.#given = value
    this.#others = others
    this.value = original(value)
    this.relation = relation
  }

  get class(): string {
    return className(this.value)
  }

  get message(): string {
    return messageOf(this.value)
  }

  /** The spans that were open, nearest first. */
  get spans(): ReadonlyArray<Spans.Span> {
    return Spans.of(this.#given)
  }

  /** The frames of its stack, nearest first, then its spans. */
  get frames(): ReadonlyArray<Stack.Frame> {
    const stack = () => {
      const name = text(Preview.get(this.value, "name")) ?? "Error"
      return Stack.parse(
        text(Preview.get(this.value, "stack")) ?? "",
        name,
        text(Preview.get(this.value, "message")) ?? ""
      )
    }
    return (this.#frames ??= [...stack(), ...this.spans.flatMap((span) => span.frames)].slice(0, Stack.limit))
  }

  /** Its own fields but those that are shown elsewhere. */
  get fields(): ReadonlyArray<readonly [name: string, value: unknown]> {
    const value = this.value
    if (!Predicate.isObject(value) || isArray(value)) return []
    const keys = (Preview.read(() => Object.keys(value)) ?? []).filter((key) => !told.has(key))
    return keys.slice(0, 16).map((key) => [key, Preview.own(value, key)] as const)
  }

  /** What stands behind it: causes, members of an aggregate, failures beside it and after it. */
  get chain(): ReadonlyArray<Throwable> {
    const seen = new Set([this.value])
    const found: Array<Throwable> = []
    const queue: Array<Throwable> = [...behind(this.value), ...this.#others]
    for (let next = queue.shift(); next !== undefined && found.length < depth; next = queue.shift()) {
      if (Predicate.isObject(next.value) && seen.has(next.value)) continue
      seen.add(next.value)
      found.push(next)
      queue.unshift(...behind(next.value))
    }
    return found
  }
}

const behind = (value: unknown): ReadonlyArray<Throwable> => {
  const cause = Preview.get(value, "cause")
  const errors = Preview.get(value, "errors")
  const members = isArray(errors) && isError(value) ? errors.slice(0, depth) : []
  const next = isCause(cause) ? leaves(cause).map((leaf) => new Throwable(leaf.value, "caused by")) : undefined
  return [
    ...(next ?? (cause === undefined ? [] : [new Throwable(cause, "caused by")])),
    ...members.map((member) => new Throwable(member, "one of"))
  ]
}

interface Leaf {
  readonly value: unknown
  readonly relation: Relation
}

// By hand and not by recursion: a retried effect can leave a cause of any depth.
const leaves = (cause: Cause.Cause<unknown>): ReadonlyArray<Leaf> => {
  const found: Array<Leaf> = []
  const open: Array<readonly [Cause.Cause<unknown>, Relation]> = [[cause, "thrown"]]
  for (let next = open.pop(); next !== undefined && found.length <= depth; next = open.pop()) {
    const [node, relation] = next
    if (node._tag === "Fail") found.push({ value: node.error, relation })
    if (node._tag === "Die") found.push({ value: node.defect, relation })
    if (node._tag === "Parallel") open.push([node.right, "in parallel"], [node.left, relation])
    if (node._tag === "Sequential") open.push([node.right, "afterwards"], [node.left, relation])
  }
  return found
}

/** Every failure and defect of a cause, in the order it happened. An interruption is none. */
export const all = (cause: Cause.Cause<unknown>): ReadonlyArray<Throwable> => {
  const [first, ...rest] = leaves(cause)
  if (first === undefined) return []
  const others = rest.map(({ relation, value }) => new Throwable(value, relation))
  return [new Throwable(first.value, "thrown", others), ...others]
}

/** One throwable out of a thrown value or a cause; a cause that only interrupts is an `Interrupted`. */
export const from = (thrown: unknown): Throwable => {
  if (!isCause(thrown)) return new Throwable(thrown)
  return all(thrown)[0] ?? new Throwable(new Cause.InterruptedException("All fibers were interrupted."))
}
