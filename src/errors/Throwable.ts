// One view of any thrown value: class, message, frames, fields, causes.
import { Predicate } from "effect"
import * as FailedStatement from "./internal/FailedStatement.ts"
import { maxChain, maxCount } from "./internal/debug/Omitted.ts"
import * as Preview from "./internal/Preview.ts"
import * as Spans from "./internal/Spans.ts"
import * as Stack from "./internal/Stack.ts"
import * as Thrown from "./internal/Thrown.ts"

export type { Relation } from "./internal/Thrown.ts"
export type { Span } from "./internal/Spans.ts"
export type { Frame } from "./internal/Stack.ts"

/** Where a throwable was found in a cause. */
interface Origin {
  readonly relation?: Thrown.Relation
  /** `true` for a defect, `false` for a typed failure. */
  readonly isDefect?: boolean
  /** The node of the cause: the same one for every handler that receives the cause. */
  readonly node?: object
  /** What failed in parallel and afterwards. */
  readonly others?: ReadonlyArray<Throwable>
  /** How many more failed. */
  readonly more?: number
}

/** The errors that caused one, as far as they are shown. */
export interface Chain {
  readonly shown: ReadonlyArray<Throwable>
  readonly omitted: number
}

/** A thrown value. The stack and the chain are read on first access: a production response never needs them. */
export class Throwable {
  readonly relation: Thrown.Relation
  /** The thrown value, without the proxy that Effect puts around it. */
  readonly value: unknown
  /** `true` for a defect, `false` for a typed failure. */
  readonly isDefect: boolean
  /** The node of the cause in which it was found. */
  readonly node: object | undefined
  readonly #given: unknown
  readonly #others: ReadonlyArray<Throwable>
  readonly #more: number
  #class: string | undefined
  #frames: ReadonlyArray<Stack.Frame> | undefined
  #chain: Chain | undefined

  constructor(value: unknown, { isDefect = true, more = 0, node, others = [], relation = "thrown" }: Origin = {}) {
    this.#given = value
    this.#others = others
    this.#more = more
    this.value = Thrown.original(value)
    this.relation = relation
    this.isDefect = isDefect
    this.node = node
  }

  /** The name of its class, or its `_tag`. */
  get class(): string {
    return (this.#class ??= Thrown.className(this.value))
  }

  /** Its message; for a `ParseError` what was expected, without the value. */
  get message(): string {
    return Thrown.message(this.value)
  }

  /** The spans that were open, innermost first. */
  get spans(): ReadonlyArray<Spans.Span> {
    return Spans.of(this.#given)
  }

  /** The frames of its stack, innermost first, then its spans. */
  get frames(): ReadonlyArray<Stack.Frame> {
    return (this.#frames ??= this.#readFrames())
  }

  #readFrames(): ReadonlyArray<Stack.Frame> {
    const [site, own] = [this.#statementSite(), Thrown.frames(this.value)]
    const spans = this.spans.flatMap((span) => span.frames)
    // The list itself, by which what was made of it is found again.
    return site.length + spans.length === 0 ? own : [...site, ...own, ...spans].slice(0, Stack.limit)
  }

  // The driver raises a database error; the place that matters is where the program wrote the statement.
  #statementSite(): ReadonlyArray<Stack.Frame> {
    const site = FailedStatement.of(this.value)?.site
    if (site === undefined) return []
    const stack = Preview.get(site, "stack")
    return Stack.parse(typeof stack === "string" ? stack : "", "Error", site.message)
  }

  /** The SQL statement that failed, without values; `undefined` unless it is a database error. */
  get statement(): string | undefined {
    const failed = FailedStatement.of(this.value)
    return failed === undefined ? undefined : FailedStatement.withoutLiterals(failed.text)
  }

  /** Its own fields, without those that are shown elsewhere. */
  get fields(): ReadonlyArray<readonly [name: string, value: unknown]> {
    return Thrown.fields(this.value)
  }

  /** Its causes, the members of an aggregate, and what failed in parallel and afterwards: the nearest four and the root. */
  get chain(): ReadonlyArray<Throwable> {
    return this.#walk().shown
  }

  /** How many throwables `chain` leaves out, counted up to 1000. */
  get omitted(): number {
    return this.#walk().omitted
  }

  #walk(): Chain {
    if (this.#chain !== undefined) return this.#chain
    const first = causesOf(this.value)
    // Most throwables have neither a cause nor a neighbour.
    if (first.found.length + this.#others.length === 0) {
      return (this.#chain = { shown: [], omitted: Math.min(this.#more + first.more, maxCount) })
    }
    const seen = new Set([this.value])
    const shown: Array<Throwable> = []
    // Down the first causes to the one that has none.
    let root: Throwable | undefined
    let nearer = first.found[0]
    let omitted = this.#more + first.more
    // Reversed, so that `pop` takes the nearest one: a long chain is walked in linear time.
    const open = [...first.found, ...this.#others].reverse()
    for (let next = open.pop(); next !== undefined && omitted < maxCount; next = open.pop()) {
      if (Predicate.isObject(next.value) && seen.has(next.value)) continue
      seen.add(next.value)
      if (shown.length < maxChain) shown.push(next)
      else omitted++
      const further = causesOf(next.value)
      if (next === nearer) {
        root = next
        nearer = further.found[0]
      }
      omitted += further.more
      open.push(...[...further.found].reverse())
    }
    // The root says more than the one in the middle whose place it takes.
    if (root !== undefined && !shown.includes(root)) shown[maxChain - 1] = root
    return (this.#chain = { shown, omitted: Math.min(omitted, maxCount) })
  }
}

interface Causes {
  readonly found: ReadonlyArray<Throwable>
  /** Members beyond those that can be shown. */
  readonly more: number
}

const causesOf = (value: unknown): Causes => {
  const cause = Preview.get(value, "cause")
  const members = Thrown.members(value, maxChain)
  const nested = Thrown.isCause(cause) ? Thrown.leavesOf(cause) : undefined
  const causes = nested?.found ?? (cause === undefined ? [] : [new Throwable(cause, { relation: "caused by" })])
  return {
    found: [
      ...causes.map((one) => new Throwable(one.value, { relation: "caused by" })),
      ...members.shown.map((member) => new Throwable(member, { relation: "one of" }))
    ],
    more: (nested?.more ?? 0) + members.more
  }
}
