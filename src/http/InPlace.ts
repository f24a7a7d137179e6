// Effects that run in place: whoever combines them computes them by plain calls, and Effect's interpreter sees one step
// for all of them. A page makes dozens of small reads that wait for nothing: `/account` takes 10 steps instead of 99, and
// nine tenths of its processor time.
//
// Any other effect is left to the interpreter, so a service that needs one can be put in place of one that does not.
import { type Cause, Clock, Context, type Duration, Effect, Effectable, Exit, type Fiber, Option, Utils } from "effect"

type Running = Fiber.RuntimeFiber<unknown, unknown>

class InPlace<A, E, R> extends Effectable.Class<A, E, R> {
  readonly run: (fiber: Running) => Effect.Effect<A, E, R>

  constructor(run: (fiber: Running) => Effect.Effect<A, E, R>) {
    super()
    this.run = run
  }

  commit(): Effect.Effect<A, E, R> {
    return Effect.withFiberRuntime<A, E, R>((fiber) => settle(this, fiber))
  }
}

/** Runs an effect as far as it runs in place: an `Exit`, or what is left for the interpreter. */
const settle = <A, E, R>(effect: Effect.Effect<A, E, R>, fiber: Running): Effect.Effect<A, E, R> => {
  let rest = effect
  while (rest instanceof InPlace) rest = (rest as InPlace<A, E, R>).run(fiber)
  return rest
}

/** The exit of an effect that has run in place; `undefined` for one that the interpreter runs. */
// An error with the tag "Failure" is an effect that looks like an exit. A boundary of the type system: an exit is an effect
// of the same types.
const exitOf = <A, E, R>(effect: Effect.Effect<A, E, R>): Exit.Exit<A, E> | undefined =>
  Exit.isExit(effect) && !(effect instanceof Error) ? (effect as Exit.Exit<A, E>) : undefined

/** The effect that a function makes of the running fiber. */
export const make = <A, E, R>(run: (fiber: Running) => Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  new InPlace(run)

/** Like `Effect.sync`. */
export const sync = <A>(value: () => A): Effect.Effect<A> => new InPlace(() => Effect.succeed(value()))

/** Like `Clock.currentTimeMillis`. */
export const currentTimeMillis: Effect.Effect<number> = make(({ currentDefaultServices }) =>
  Effect.succeed(Context.get(currentDefaultServices, Clock.Clock).unsafeCurrentTimeMillis())
)

/** Like `Effect.flatMap`. */
export const flatMap = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  next: (value: A) => Effect.Effect<B, E2, R2>
): Effect.Effect<B, E | E2, R | R2> =>
  new InPlace<B, E | E2, R | R2>((fiber) => {
    const rest = settle(effect, fiber)
    const exit = exitOf(rest)
    if (exit === undefined) return Effect.flatMap(rest, next)
    return Exit.isSuccess(exit) ? next(exit.value) : Exit.failCause(exit.cause)
  })

/** Like `Effect.map`. */
export const map = <A, E, R, B>(effect: Effect.Effect<A, E, R>, of: (value: A) => B): Effect.Effect<B, E, R> =>
  new InPlace<B, E, R>((fiber) => {
    const rest = settle(effect, fiber)
    const exit = exitOf(rest)
    if (exit === undefined) return Effect.map(rest, of)
    return Exit.isSuccess(exit) ? Exit.succeed(of(exit.value)) : Exit.failCause(exit.cause)
  })

/** Like `Effect.orDie`. */
export const orDie = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> =>
  new InPlace<A, never, R>((fiber) => {
    const rest = settle(effect, fiber)
    const exit = exitOf(rest)
    return exit !== undefined && Exit.isSuccess(exit) ? Exit.succeed(exit.value) : Effect.orDie(rest)
  })

/** Like `Effect.catchAll`. */
export const catchAll = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  other: (error: E) => Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E2, R | R2> =>
  new InPlace<A | B, E2, R | R2>((fiber) => {
    const rest = settle(effect, fiber)
    const exit = exitOf(rest)
    return exit !== undefined && Exit.isSuccess(exit) ? Exit.succeed(exit.value) : Effect.catchAll(rest, other)
  })

/** Like `Effect.catchAllCause`. */
export const catchAllCause = <A, E, R, B, E2, R2>(
  effect: Effect.Effect<A, E, R>,
  other: (cause: Cause.Cause<E>) => Effect.Effect<B, E2, R2>
): Effect.Effect<A | B, E2, R | R2> =>
  new InPlace<A | B, E2, R | R2>((fiber) => {
    const rest = attempt(effect, fiber)
    const exit = exitOf(rest)
    if (exit === undefined) return Effect.catchAllCause(rest, other)
    return Exit.isSuccess(exit) ? Exit.succeed(exit.value) : other(exit.cause)
  })

const attempt = <A, E, R>(effect: Effect.Effect<A, E, R>, fiber: Running): Effect.Effect<A, E, R> => {
  try {
    return settle(effect, fiber)
  } catch (thrown) {
    return dying(thrown)
  }
}

// `Effect.die` looks for a span in the value: for a revoked proxy that is an exception.
const dying = (thrown: unknown): Effect.Effect<never> => {
  try {
    return Effect.die(thrown)
  } catch {
    return Exit.die(thrown)
  }
}

/** Like `Effect.timeoutOption`: an effect that has run in place needs no fiber and no timer beside it. */
export const timeoutOption = <A, E, R>(
  effect: Effect.Effect<A, E, R>,
  duration: Duration.DurationInput
): Effect.Effect<Option.Option<A>, E, R> =>
  new InPlace<Option.Option<A>, E, R>((fiber) => {
    const rest = settle(effect, fiber)
    const exit = exitOf(rest)
    return exit === undefined ? Effect.timeoutOption(rest, duration) : Exit.map(exit, Option.some)
  })

type Yielded = Utils.YieldWrap<Effect.Effect<unknown, unknown, unknown>>
type ErrorOf<Y> = [Y] extends [Utils.YieldWrap<Effect.Effect<infer _A, infer E, infer _R>>] ? E : never
type ContextOf<Y> = [Y] extends [Utils.YieldWrap<Effect.Effect<infer _A, infer _E, infer R>>] ? R : never

type Body<Y extends Yielded, A> = Generator<Y, A, never>
type Made<Y extends Yielded, A> = Effect.Effect<A, ErrorOf<Y>, ContextOf<Y>>

const advance = <Y extends Yielded, A>(body: Body<Y, A>, fiber: Running, value?: unknown): Made<Y, A> => {
  let last = value
  for (;;) {
    // A boundary of the type system: `yield*` gives each effect's own value back to the body.
    const next = body.next(last as never)
    if (next.done === true) return Effect.succeed(next.value)
    const rest = settle(Utils.yieldWrapGet(next.value), fiber) as Made<Y, unknown>
    const exit = exitOf(rest)
    // A timeout runs what is left in a fiber of its own.
    if (exit === undefined)
      return Effect.flatMap(rest, (value) => Effect.withFiberRuntime((running) => advance(body, running, value)))
    if (Exit.isFailure(exit)) return Exit.failCause(exit.cause)
    last = exit.value
  }
}

/** Like `Effect.gen`. */
export const gen = <Y extends Yielded, A>(body: () => Body<Y, A>): Effect.Effect<A, ErrorOf<Y>, ContextOf<Y>> =>
  new InPlace((fiber) => advance(body(), fiber))

/** Like `Effect.fnUntraced`. */
export const fn =
  <Args extends ReadonlyArray<unknown>, Y extends Yielded, A>(
    body: (...args: Args) => Body<Y, A>
  ): ((...args: Args) => Effect.Effect<A, ErrorOf<Y>, ContextOf<Y>>) =>
  (...args) =>
    new InPlace((fiber) => advance(body(...args), fiber))
