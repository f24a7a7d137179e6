// The counters and gauges of Effect's own `Metric`, which all tests of a file share.
import { Effect, Metric, MetricState } from "effect"

/** The value of a metric by the text of its tags: `outcome=success`. */
export const read = (name: string): Effect.Effect<Readonly<Record<string, number>>> =>
  Effect.map(Metric.snapshot, (pairs) => {
    const values: Record<string, number> = {}
    for (const { metricKey, metricState } of pairs) {
      if (metricKey.name !== name) continue
      const key = metricKey.tags.map((tag) => `${tag.key}=${tag.value}`).join()
      if (MetricState.isCounterState(metricState)) values[key] = Number(metricState.count)
      if (MetricState.isGaugeState(metricState)) values[key] = Number(metricState.value)
    }
    return values
  })

/** How much a counter grows while the work runs. */
export const growth = <A, E, R>(name: string, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const before = yield* read(name)
    yield* work
    const after = yield* read(name)
    return Object.fromEntries(
      Object.entries(after).flatMap(([key, value]) => {
        const grown = value - (before[key] ?? 0)
        return grown === 0 ? [] : [[key, grown]]
      })
    )
  })
