// The services of a request: its own few, then those of the program, which all requests share.
import { Context, Effect, type Exit, Scope } from "effect"

/**
 * The map behind a request's `Context`. It reads through to the program's services, so that a request copies nothing: a
 * copy of forty services costs more than the rest of the start of a fiber. A request has so few services of its own that
 * a linear search is faster than a hash table. The request's scope is created on first use.
 */
export class RequestServices implements Map<string, unknown> {
  readonly #program: ReadonlyMap<string, unknown>
  /** A name, its value, the next name, its value. */
  readonly #own: Array<unknown> = []
  #scope: Scope.CloseableScope | undefined = undefined

  constructor(program: Context.Context<never>) {
    this.#program = program.unsafeMap
  }

  /** The context over these services. A boundary: the caller knows which services they are. */
  context<R>(): Context.Context<R> {
    return Context.unsafeMake<R>(this)
  }

  get(name: string): unknown {
    const own = this.#own
    for (let at = 0; at < own.length; at += 2) if (own[at] === name) return own[at + 1]
    return name === Scope.Scope.key ? this.#open() : this.#program.get(name)
  }

  has(name: string): boolean {
    return this.#hasOwn(name) || name === Scope.Scope.key || this.#program.has(name)
  }

  set(name: string, value: unknown): this {
    const own = this.#own
    for (let at = 0; at < own.length; at += 2) {
      if (own[at] !== name) continue
      own[at + 1] = value
      return this
    }
    own.push(name, value)
    return this
  }

  // A context never removes a service.
  delete(): boolean {
    return false
  }
  clear(): void {}

  *entries(): MapIterator<[string, unknown]> {
    for (const entry of this.#program) if (!this.#hasOwn(entry[0]) && entry[0] !== Scope.Scope.key) yield entry
    yield [Scope.Scope.key, this.#open()]
    const own = this.#own
    for (let at = 0; at < own.length; at += 2) yield [String(own[at]), own[at + 1]]
  }
  [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries()
  }
  *keys(): MapIterator<string> {
    for (const [name] of this.entries()) yield name
  }
  *values(): MapIterator<unknown> {
    for (const [, value] of this.entries()) yield value
  }
  forEach(visit: (value: unknown, name: string, map: Map<string, unknown>) => void): void {
    for (const [name, value] of this.entries()) visit(value, name, this)
  }
  get size(): number {
    return Array.from(this.keys()).length
  }
  get [Symbol.toStringTag](): string {
    return "RequestServices"
  }

  /** Runs the finalizers that the request has registered, if it has any. */
  close(exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> | undefined {
    return this.#scope === undefined ? undefined : Scope.close(this.#scope, exit)
  }

  #hasOwn(name: string): boolean {
    const own = this.#own
    for (let at = 0; at < own.length; at += 2) if (own[at] === name) return true
    return false
  }

  #open(): Scope.CloseableScope {
    return (this.#scope ??= Effect.runSync(Scope.make()))
  }
}
