// The services of a request, layered over those of the program. A request and its guards copy nothing: each copy of the 110
// services of a program with accounts takes 16 µs, and `Effect.provideService` makes one for each service.
import { Context, Effect, type Exit, Hash, Scope } from "effect"

type Services = ReadonlyMap<string, unknown>

/** The map behind a `Context`: services over others. A context never changes its map, so nothing else can be added. */
class Layered implements Map<string, unknown> {
  readonly #over: Services
  readonly #under: Services

  constructor(over: Services, under: Services) {
    this.#over = over
    this.#under = under
  }

  get(name: string): unknown {
    return this.#over.has(name) ? this.#over.get(name) : this.#under.get(name)
  }
  has(name: string): boolean {
    return this.#over.has(name) || this.#under.has(name)
  }
  get size(): number {
    const [fewer, more] = this.#over.size < this.#under.size ? [this.#over, this.#under] : [this.#under, this.#over]
    let { size } = more
    for (const name of fewer.keys()) if (!more.has(name)) size++
    return size
  }

  *keys(): MapIterator<string> {
    for (const [name] of this.entries()) yield name
  }
  entries(): MapIterator<[string, unknown]> {
    // An array, which is faster to copy than what a generator yields: whatever adds a service to a context copies all.
    const all = Array.from(this.#over)
    for (const entry of this.#under) if (!this.#over.has(entry[0])) all.push(entry)
    return all.values()
  }
  [Symbol.iterator](): MapIterator<[string, unknown]> {
    return this.entries()
  }
  *values(): MapIterator<unknown> {
    for (const [, service] of this.entries()) yield service
  }
  forEach(visit: (service: unknown, name: string, map: Map<string, unknown>) => void): void {
    for (const [name, service] of this.entries()) visit(service, name, this)
  }
  get [Symbol.toStringTag](): string {
    return "Services"
  }

  set(): this {
    return this
  }
  delete(): boolean {
    return false
  }
  clear(): void {}
}

// Effect compares the contexts of a fiber whenever one is provided, and by every service where their hashes are equal: each
// of ours has a hash of its own, a number: Effect's random ones are kept in a weak table over all requests.
let contexts = 0

// A boundary: the caller knows which services the map holds.
const contextOf = <R>(services: Layered): Context.Context<R> => {
  const context = Context.unsafeMake<R>(services)
  contexts = (contexts + 1) | 0
  Hash.cached(context, contexts)
  return context
}

/** The services of one request before its fiber starts. Its scope is opened when somebody asks for it. */
export class RequestServices extends Layered {
  readonly #own: Map<string, unknown>
  #scope: Scope.CloseableScope | undefined = undefined
  #exit: Exit.Exit<unknown, unknown> | undefined = undefined

  /** The scope of the program is none that a request may use. */
  constructor(program: Context.Context<never>) {
    const own = new Map<string, unknown>([[Scope.Scope.key, undefined]])
    super(own, program.unsafeMap)
    this.#own = own
  }

  add<I, S>(tag: Context.Tag<I, S>, service: NoInfer<S>): void {
    this.#own.set(tag.key, service)
  }

  context<R>(): Context.Context<R> {
    return contextOf(this)
  }

  override get(name: string): unknown {
    return name === Scope.Scope.key ? this.#open() : super.get(name)
  }
  override entries(): MapIterator<[string, unknown]> {
    this.#open()
    return super.entries()
  }

  /** Closes the scope: what is left to run, or `undefined` where nobody has asked for it. */
  close(exit: Exit.Exit<unknown, unknown>): Effect.Effect<void> | undefined {
    this.#exit = exit
    return this.#scope === undefined ? undefined : Scope.close(this.#scope, exit)
  }

  #open(): Scope.CloseableScope {
    if (this.#scope !== undefined) return this.#scope
    const exit = this.#exit
    // After the response a scope is closed from the start: what is added to it is released at once.
    const scope = Effect.runSync(
      exit === undefined ? Scope.make() : Effect.tap(Scope.make(), (late) => Scope.close(late, exit))
    )
    this.#own.set(Scope.Scope.key, scope)
    return (this.#scope = scope)
  }
}

/** Like `Effect.contextWithEffect`, in one step of the interpreter instead of three. */
// A boundary, as in Effect: the running fiber has what the type of the effect asks for.
export const use = <R, A, E, R2>(
  make: (services: Context.Context<R>) => Effect.Effect<A, E, R2>
): Effect.Effect<A, E, R | R2> =>
  Effect.withFiberRuntime<A, E, R | R2>(({ currentContext }) => make(currentContext as Context.Context<R>))

/** Like `Effect.contextWith`, in two steps instead of four. */
export const read = <R, A>(of: (services: Context.Context<R>) => A): Effect.Effect<A, never, R> =>
  use((services: Context.Context<R>) => Effect.succeed(of(services)))

const layered = <A, E, R, R2>(effect: Effect.Effect<A, E, R>, layer: (current: Services) => Layered) =>
  Effect.mapInputContext(effect, (current: Context.Context<R2>) => contextOf<R>(layer(current.unsafeMap)))

/** Like `Effect.provideService`. */
export const provideService = <A, E, R, I, S>(
  effect: Effect.Effect<A, E, R>,
  tag: Context.Tag<I, S>,
  service: NoInfer<S>
): Effect.Effect<A, E, Exclude<R, I>> => {
  const own = new Map([[tag.key, service]])
  return layered(effect, (current) => new Layered(own, current))
}

/** Like `Effect.provide`, below the services that the request has: one of the request wins. */
export const provideBelow = <A, E, R, I>(
  effect: Effect.Effect<A, E, R>,
  services: Context.Context<I>
): Effect.Effect<A, E, Exclude<R, I>> => layered(effect, (current) => new Layered(current, services.unsafeMap))

/**
 * Like `Effect.scoped` and `Effect.provide`. A boundary of the type system, which does not see that scope and services leave
 * nothing.
 */
export const scoped = <A, E, R, I>(effect: Effect.Effect<A, E, R>, services: Context.Context<I>) =>
  use((caller: Context.Context<never>): Effect.Effect<A, E> => {
    const own = new RequestServices(contextOf(new Layered(services.unsafeMap, caller.unsafeMap)))
    const provided = Effect.mapInputContext<A, E, R, never>(effect, () => own.context())
    return Effect.onExit(provided, (exit) => own.close(exit) ?? Effect.void)
  })

/** Whether a service was provided; a reference that has its default value was not. */
export const has = <R, I, S>(
  services: Context.Context<R>,
  tag: Context.Tag<I, S> | Context.Reference<I & object, S>
): boolean => services.unsafeMap.has(tag.key)
