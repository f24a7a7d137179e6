// The services of a request: its own few, then those of the program, which all requests share.
import { type Context, type Effect, type Exit, Scope } from "effect"
import { ServiceMap } from "../../src/http/ServiceMap.ts"
import * as RequestScope from "./RequestScope.ts"

const programs = new WeakMap<ReadonlyMap<string, unknown>, ReadonlyArray<[string, unknown]>>()

/** The services of the program, which has no scope that a request may use. */
const entriesOf = (program: ReadonlyMap<string, unknown>): ReadonlyArray<[string, unknown]> => {
  const known = programs.get(program)
  if (known !== undefined) return known
  const entries = Array.from(program).filter(([name]) => name !== Scope.Scope.key)
  programs.set(program, entries)
  return entries
}

/**
 * The map behind a request's `Context`. It reads through to the program's services, so that a request copies nothing: a
 * copy of forty services costs more than the rest of the start of a fiber. A request has so few services of its own that
 * a linear search is faster than a hash table. The request's scope is created on first use.
 */
export class RequestServices extends ServiceMap {
  readonly #program: ReadonlyMap<string, unknown>
  /** A name, its value, the next name, its value. */
  readonly #own: Array<unknown> = []
  #scope: Scope.CloseableScope | undefined = undefined

  constructor(program: Context.Context<never>) {
    super()
    this.#program = program.unsafeMap
  }

  get(name: string): unknown {
    const own = this.#own
    for (let at = 0; at < own.length; at += 2) if (own[at] === name) return own[at + 1]
    return name === Scope.Scope.key ? this.#open() : this.#program.get(name)
  }

  has(name: string): boolean {
    return this.#hasOwn(name) || name === Scope.Scope.key || this.#program.has(name)
  }

  override set(name: string, value: unknown): this {
    const own = this.#own
    for (let at = 0; at < own.length; at += 2) {
      if (own[at] !== name) continue
      own[at + 1] = value
      return this
    }
    own.push(name, value)
    return this
  }

  all(): Array<[string, unknown]> {
    const all: Array<[string, unknown]> = []
    for (const entry of entriesOf(this.#program)) if (!this.#hasOwn(entry[0])) all.push(entry)
    all.push([Scope.Scope.key, this.#open()])
    const own = this.#own
    for (let at = 0; at < own.length; at += 2) all.push([String(own[at]), own[at + 1]])
    return all
  }

  /** Runs the finalizers that the request has registered, if it has any. */
  close(exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> | undefined {
    return this.#scope === undefined ? undefined : RequestScope.close(this.#scope, exit)
  }

  #hasOwn(name: string): boolean {
    const own = this.#own
    for (let at = 0; at < own.length; at += 2) if (own[at] === name) return true
    return false
  }

  #open(): Scope.CloseableScope {
    return (this.#scope ??= RequestScope.make())
  }
}
