// How many statements run and how long they take, where the program has a registry of metrics.
import { Effect, Option } from "effect"
import * as Histogram from "../../../src/observability/Histogram.ts"
import { Observability } from "../../../src/observability/Observability.ts"

// Most statements take less than the first of the usual bounds.
const buckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

const histogram = (outcome: string) =>
  Histogram.make("database_statement_duration_seconds", {
    help: "Duration of statements by outcome in seconds, with the wait for a connection",
    labels: { outcome },
    buckets
  })

/** Records statements with plain synchronous writes; times are those of `performance.now()`. */
export class StatementMetrics {
  readonly #success: Histogram.Histogram
  readonly #failure: Histogram.Histogram

  constructor(success: Histogram.Histogram, failure: Histogram.Histogram) {
    this.#success = success
    this.#failure = failure
  }

  succeeded(started: number): void {
    this.#success.observe((performance.now() - started) / 1000)
  }

  failed(started: number): void {
    this.#failure.observe((performance.now() - started) / 1000)
  }
}

// The databases of one registry are measured together.
const shared = new WeakMap<object, StatementMetrics>()

/** With the registry of the program; `undefined` without one. */
export const make: Effect.Effect<StatementMetrics | undefined> = Effect.flatMap(
  Effect.serviceOption(Observability),
  Option.match({
    onNone: () => Effect.succeed(undefined),
    onSome: ({ metrics }) =>
      Effect.gen(function* () {
        const known = shared.get(metrics)
        if (known !== undefined) return known
        const success = yield* histogram("success")
        const failure = yield* histogram("failure")
        const made = new StatementMetrics(success, failure)
        shared.set(metrics, made)
        yield* metrics.push(success)
        yield* metrics.push(failure)
        return made
      }).pipe(
        Effect.catchTag("InvalidInstrument", ({ message }) =>
          Effect.as(Effect.logWarning(`Statements are not measured: ${message}`), undefined)
        )
      )
  })
)

/** The statement, recorded when it ends; one that is interrupted is not. */
export const measured = <A, E, R>(
  run: Effect.Effect<A, E, R>,
  metrics: StatementMetrics | undefined
): Effect.Effect<A, E, R> => {
  if (metrics === undefined) return run
  return Effect.suspend(() => {
    const started = performance.now()
    return Effect.matchCauseEffect(run, {
      onFailure: (cause) => {
        metrics.failed(started)
        return Effect.failCause(cause)
      },
      onSuccess: (value) => {
        metrics.succeeded(started)
        return Effect.succeed(value)
      }
    })
  })
}
