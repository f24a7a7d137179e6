// The map behind a `Context` that finds its services somewhere else: nothing is copied until something is added to it.
import { Context, Equal, Hash } from "effect"

// Effect compares two contexts of a fiber whenever one is provided, and hashes them for that. Those of two requests are never
// equal: without these two methods there is nothing to compute.
const { [Equal.symbol]: _equal, [Hash.symbol]: _hash, ...methods } = Object.getPrototypeOf(Context.empty())
const prototype: object = methods

/** Services by name. A subclass says where they are. */
export abstract class ServiceMap implements Map<string, unknown> {
  abstract get(name: string): unknown
  abstract has(name: string): boolean
  /** Every service once. Arrays and no generators: whatever adds a service to a context iterates over all of them. */
  abstract all(): Array<[string, unknown]>

  /** The context over these services. A boundary: the caller knows which services they are. */
  context<R>(): Context.Context<R> {
    const context = Object.create(prototype)
    context.unsafeMap = this
    return context
  }

  // A context never changes or removes a service.
  set(_name: string, _value: unknown): this {
    return this
  }
  delete(): boolean {
    return false
  }
  clear(): void {}

  entries(): MapIterator<[string, unknown]> {
    return this.all().values()
  }
  [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.all().values()
  }
  keys(): MapIterator<string> {
    return this.all()
      .map(([name]) => name)
      .values()
  }
  values(): MapIterator<unknown> {
    return this.all()
      .map(([, value]) => value)
      .values()
  }
  forEach(visit: (value: unknown, name: string, map: Map<string, unknown>) => void): void {
    for (const [name, value] of this.all()) visit(value, name, this)
  }
  get size(): number {
    return this.all().length
  }
  get [Symbol.toStringTag](): string {
    return "ServiceMap"
  }
}
