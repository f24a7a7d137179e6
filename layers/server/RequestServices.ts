// The services a request sees: those of the program, shared by all requests, under the few that are its own.
import { Effect, type Exit, Scope } from "effect"

type Services = ReadonlyMap<string, unknown>

/**
 * A map that reads through to the program's services, so that a request copies nothing (a copy of forty services costs
 * more than the rest of the start of a fiber). The request's scope is made when someone first asks for it.
 */
export class RequestServices extends Map<string, unknown> {
  readonly #program: Services
  #scope: Scope.CloseableScope | undefined = undefined

  constructor(program: Services) {
    super()
    this.#program = program
  }

  override get(key: string): unknown {
    const own = super.get(key)
    if (own !== undefined) return own
    return key === Scope.Scope.key ? this.#open() : this.#program.get(key)
  }

  override has(key: string): boolean {
    return super.has(key) || key === Scope.Scope.key || this.#program.has(key)
  }

  override *entries(): MapIterator<[string, unknown]> {
    for (const entry of this.#program) if (!super.has(entry[0]) && entry[0] !== Scope.Scope.key) yield entry
    yield [Scope.Scope.key, this.#open()]
    yield* super.entries()
  }
  override [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries()
  }
  override *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key
  }
  override *values(): MapIterator<unknown> {
    for (const [, value] of this.entries()) yield value
  }
  override forEach(visit: (value: unknown, key: string, map: Map<string, unknown>) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this)
  }
  override get size(): number {
    return Array.from(this.keys()).length
  }

  /** Runs the finalizers that the request has registered, if it has any. */
  close(exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> | undefined {
    return this.#scope === undefined ? undefined : Scope.close(this.#scope, exit)
  }

  #open(): Scope.CloseableScope {
    return (this.#scope ??= Effect.runSync(Scope.make()))
  }
}
