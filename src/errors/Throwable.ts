// Any cause and any thrown value as one thing that can be shown. The only file that walks a Cause.
import { Cause, Predicate } from "effect"
import * as FailedStatement from "../database/FailedStatement.ts"
import * as Expectations from "./Expectations.ts"
import { clip } from "./SafeText.ts"
import * as Preview from "./Preview.ts"
import * as Spans from "./Spans.ts"
import * as Stack from "./Stack.ts"

/** How a throwable came to stand behind the first. */
export type Relation = "thrown" | "caused by" | "one of" | "in parallel" | "afterwards"

/** At most this many throwables are shown behind the first. */
export const depth = 5

/** Those beyond are counted up to here: a chain may have no end. */
export const countable = 1000

/** The sentence where some are left out: so many more errors are not shown. */
export const leftOut = (count: number, noun: string): string => {
  const number = count >= countable ? `${countable} or more` : String(count)
  return count === 1 ? `1 more ${noun} is not shown.` : `${number} more ${noun}s are not shown.`
}

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
  // Its own message repeats what was decoded, which may be a password.
  if (Expectations.isParseError(value)) return Expectations.message(value)
  const message = Preview.get(value, "message")
  if (typeof message === "string") return message
  return isError(value) ? Preview.of(message) : Preview.of(value)
}

const told = new Set(["name", "message", "stack", "cause", "errors", "_tag"])
const mostFields = 200

/** Where in a cause it was found. */
export interface Found {
  readonly relation?: Relation
  /** Whether it was thrown or died, and is not a typed failure. */
  readonly isDefect?: boolean
  /** The node of the cause: the same one for every handler that the cause is passed to. */
  readonly node?: object
  /** What failed beside it and after it. */
  readonly others?: ReadonlyArray<Throwable>
  /** How many more did. */
  readonly more?: number
}

interface Chain {
  readonly shown: ReadonlyArray<Throwable>
  readonly omitted: number
}

/** What was thrown. The stack and what hangs on it are read when someone asks: a production answer never does. */
export class Throwable {
  readonly relation: Relation
  /** What was thrown, out of the proxy that Effect puts around it. */
  readonly value: unknown
  /** Whether it was thrown or died, and is not a typed failure. */
  readonly isDefect: boolean
  /** The node of the cause that it was found in. */
  readonly node: object | undefined
  readonly #given: unknown
  readonly #others: ReadonlyArray<Throwable>
  readonly #more: number
  #frames: ReadonlyArray<Stack.Frame> | undefined
  #chain: Chain | undefined

  constructor(value: unknown, { isDefect = true, more = 0, node, others = [], relation = "thrown" }: Found = {}) {
    this.#given = value
    this.#others = others
    this.#more = more
    this.value = original(value)
    this.relation = relation
    this.isDefect = isDefect
    this.node = node
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
    const spans = () => this.spans.flatMap((span) => span.frames)
    return (this.#frames ??= [...this.#written(), ...stack(), ...spans()].slice(0, Stack.limit))
  }

  // An error of the database is raised by the driver; the program's own place is where the statement was written.
  #written(): ReadonlyArray<Stack.Frame> {
    const site = FailedStatement.of(this.value)?.site
    return site === undefined ? [] : Stack.parse(text(Preview.get(site, "stack")) ?? "", "Error", site.message)
  }

  /** The statement that failed, without values; nothing for what is no error of the database. */
  get statement(): string | undefined {
    const failed = FailedStatement.of(this.value)
    return failed === undefined ? undefined : FailedStatement.withoutLiterals(failed.text)
  }

  /** Its own fields but those that are shown elsewhere. */
  get fields(): ReadonlyArray<readonly [name: string, value: unknown]> {
    const value = this.value
    if (!Predicate.isObject(value) || isArray(value) || Expectations.isParseError(value)) return []
    const keys = (Preview.read(() => Object.keys(value)) ?? []).filter((key) => !told.has(key))
    return keys.slice(0, mostFields).map((key) => [key, Preview.own(value, key)] as const)
  }

  /** What stands behind it: causes, members of an aggregate, failures beside it and after it. */
  get chain(): ReadonlyArray<Throwable> {
    return this.#behind().shown
  }

  /** How many stand behind it that `chain` leaves out, counted up to `countable`. */
  get omitted(): number {
    return this.#behind().omitted
  }

  #behind(): Chain {
    if (this.#chain !== undefined) return this.#chain
    const seen = new Set([this.value])
    const shown: Array<Throwable> = []
    const first = behind(this.value)
    let omitted = this.#more + first.more
    // The nearest last: a chain of any length is walked without moving what waits.
    const open = [...first.found, ...this.#others].reverse()
    for (let next = open.pop(); next !== undefined && omitted < countable; next = open.pop()) {
      if (Predicate.isObject(next.value) && seen.has(next.value)) continue
      seen.add(next.value)
      if (shown.length < depth) shown.push(next)
      else omitted++
      const further = behind(next.value)
      omitted += further.more
      open.push(...[...further.found].reverse())
    }
    return (this.#chain = { shown, omitted: Math.min(omitted, countable) })
  }
}

interface Behind {
  readonly found: ReadonlyArray<Throwable>
  /** Members beyond those that could be shown. */
  readonly more: number
}

const behind = (value: unknown): Behind => {
  const cause = Preview.get(value, "cause")
  const errors = Preview.get(value, "errors")
  const members = isArray(errors) && isError(value) ? errors : []
  const count = Preview.read(() => members.length) ?? 0
  const shown = Preview.read(() => members.slice(0, depth)) ?? []
  const nested = isCause(cause) ? leaves(cause) : undefined
  const causes = nested?.found ?? (cause === undefined ? [] : [new Throwable(cause, { relation: "caused by" })])
  return {
    found: [
      ...causes.map((one) => new Throwable(one.value, { relation: "caused by" })),
      ...shown.map((member) => new Throwable(member, { relation: "one of" }))
    ],
    more: (nested?.more ?? 0) + Math.max(0, count - shown.length)
  }
}

interface Leaf {
  readonly value: unknown
  readonly relation: Relation
  readonly isDefect: boolean
  readonly node: object
}

// By hand and not by recursion: a retried effect can leave a cause of any depth.
const leaves = (cause: Cause.Cause<unknown>): { readonly found: ReadonlyArray<Leaf>; readonly more: number } => {
  const found: Array<Leaf> = []
  let more = 0
  const open: Array<readonly [Cause.Cause<unknown>, Relation]> = [[cause, "thrown"]]
  for (let next = open.pop(); next !== undefined && more < countable; next = open.pop()) {
    const [node, relation] = next
    if (node._tag === "Parallel") open.push([node.right, "in parallel"], [node.left, relation])
    if (node._tag === "Sequential") open.push([node.right, "afterwards"], [node.left, relation])
    if (node._tag !== "Fail" && node._tag !== "Die") continue
    const isDefect = node._tag === "Die"
    if (found.length > depth) more++
    else found.push({ value: isDefect ? node.defect : node.error, relation, isDefect, node })
  }
  return { found, more }
}

/** Every failure and defect of a cause, in the order it happened. An interruption is none. */
export const all = (cause: Cause.Cause<unknown>): ReadonlyArray<Throwable> => {
  const { found, more } = leaves(cause)
  const [first, ...rest] = found
  if (first === undefined) return []
  const others = rest.map((leaf) => new Throwable(leaf.value, leaf))
  return [new Throwable(first.value, { ...first, relation: "thrown", others, more }), ...others]
}

/** One throwable out of a thrown value or a cause; a cause that only interrupts is an `Interrupted`. */
export const from = (thrown: unknown): Throwable => {
  if (!isCause(thrown)) return new Throwable(thrown)
  return all(thrown)[0] ?? new Throwable(new Cause.InterruptedException("All fibers were interrupted."))
}
