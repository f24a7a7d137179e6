// What a process needs to serve: each dependency has a check of its own, and all of them run at once.
import { Context, type Duration, Effect, Layer, Schema, type Scope } from "effect"
import { type HealthResult, timed } from "./internal/HealthResult.ts"

/** A dependency does not respond. The reason is for the log only: it may contain host names. */
export class NotReady extends Schema.TaggedError<NotReady>("effect-framework/observability/NotReady")("NotReady", {
  part: Schema.String,
  reason: Schema.String
}) {
  override get message(): string {
    return `${this.part} is not ready: ${this.reason}`
  }
}

/** Fails with `NotReady` while a dependency does not respond. */
export class Readiness extends Context.Tag("effect-framework/observability/Readiness")<
  Readiness,
  {
    readonly check: Effect.Effect<void, NotReady>
    /** What it checks, for the list of all checks; `program` by default. */
    readonly part?: string
  }
>() {}

export type { HealthResult } from "./internal/HealthResult.ts"

/** One dependency of the process. */
export interface HealthCheck {
  /** Shown in responses, so it holds no secret: `database`, `disk`. */
  readonly name: string
  /** Fails or dies when the dependency cannot be used. The reason is only logged: it may contain host names. */
  readonly check: Effect.Effect<void, unknown>
  /** How long it may take; 2 seconds. */
  readonly timeout?: Duration.DurationInput
}

/** The checks of a program as a service. */
export class HealthChecks extends Context.Tag("effect-framework/observability/HealthChecks")<
  HealthChecks,
  {
    /** Adds a check until the scope closes. */
    readonly push: (check: HealthCheck) => Effect.Effect<void, never, Scope.Scope>
    /** Runs all checks at the same time. Takes no longer than the longest timeout, and never fails. */
    readonly run: Effect.Effect<ReadonlyArray<HealthResult>>
  }
>() {}

/** Longer than a healthy dependency needs, shorter than the usual timeout of a load balancer. */
const defaultTimeout = "2 seconds"

const runOne = ({ check, name, timeout = defaultTimeout }: HealthCheck): Effect.Effect<HealthResult> =>
  check.pipe(
    Effect.as("ok" as const),
    Effect.catchAllCause((cause) => Effect.as(Effect.logWarning(`${name} is not ready`, cause), "failed" as const)),
    // A check that cannot be interrupted must not delay the response either.
    Effect.disconnect,
    Effect.timeoutTo({
      duration: timeout,
      onSuccess: (status) => Effect.succeed(status),
      onTimeout: () => Effect.as(Effect.logWarning(`${name} is not ready: it does not respond`), "timeout" as const)
    }),
    Effect.flatten,
    Effect.map((status) => ({ name, status })),
    timed
  )

const make = (): Context.Tag.Service<HealthChecks> => {
  const checks = new Set<HealthCheck>()
  return {
    push: (check) =>
      Effect.acquireRelease(
        Effect.sync(() => checks.add(check)),
        () => Effect.sync(() => checks.delete(check))
      ),
    run: Effect.suspend(() => Effect.forEach([...checks], runOne, { concurrency: "unbounded" }))
  }
}

/** No checks yet. */
export const layer: Layer.Layer<HealthChecks> = Layer.sync(HealthChecks, make)

/** Adds a check for the lifetime of the layer. */
export const add = (check: HealthCheck): Layer.Layer<never, never, HealthChecks> =>
  Layer.scopedDiscard(Effect.flatMap(HealthChecks, ({ push }) => push(check)))
