// The instruments of a process. One that cannot be printed beside the others is refused.
import { Either } from "effect"
import { histogramOf, histogramSamples } from "./export/Exposition.ts"
import type { Instrument, InvalidInstrument } from "../Instrument.ts"
import { refuse } from "./InstrumentRules.ts"
import type { Aggregation, Type } from "./snapshot/Series.ts"
import type { Reading } from "../Snapshot.ts"

/** Registers instruments, reads all of them, and reports those that reached their limit of series. */
interface Registry {
  readonly push: (instrument: Instrument) => Either.Either<void, InvalidInstrument>
  readonly read: () => ReadonlyArray<Reading>
  /** Names that reached their limit since the last call. */
  readonly takeOverflowed: () => ReadonlyArray<string>
}

interface Registered {
  readonly type: Type
  readonly aggregation: Aggregation | undefined
  readonly instruments: Set<Instrument>
  readonly labels: Set<string>
}

/** A registry with at most `limit` instruments for each name; a family counts once and has its own limit. */
export const make = (limit: number): Registry => {
  const names = new Map<string, Registered>()
  const reported = new Set<string>()

  const problem = ({ aggregation, labels, name, type }: Instrument): string | undefined => {
    const registered = names.get(name)
    if (registered !== undefined) {
      if (registered.type !== type) return `it is already registered as a ${registered.type} and cannot be a ${type}`
      if (registered.aggregation !== aggregation) return "it is already registered with another aggregation"
      if (labels !== undefined && registered.labels.has(labels.text)) return `{${labels.text}} is already registered`
      return registered.instruments.size >= limit ? `it already has ${limit} series; use a family` : undefined
    }
    const histogram = histogramOf(name)
    if (histogram !== undefined && names.get(histogram)?.type === "histogram") {
      return `the histogram ${histogram} prints this name`
    }
    const sample = type === "histogram" ? histogramSamples(name).find((other) => names.has(other)) : undefined
    return sample === undefined ? undefined : `it would print ${sample}, which is already registered`
  }

  const push = (instrument: Instrument): Either.Either<void, InvalidInstrument> => {
    const { aggregation, labels, name, type } = instrument
    const registered = names.get(name) ?? { type, aggregation, instruments: new Set(), labels: new Set() }
    if (registered.instruments.has(instrument)) return Either.void
    const reason = problem(instrument)
    if (reason !== undefined) return refuse(name, reason)
    registered.instruments.add(instrument)
    if (labels !== undefined) registered.labels.add(labels.text)
    names.set(name, registered)
    return Either.void
  }

  const all = function* () {
    for (const { instruments } of names.values()) yield* instruments
  }

  const read = (): ReadonlyArray<Reading> =>
    Array.from(all(), (instrument) => {
      const { aggregation, help, name, type } = instrument
      return { name, type, help, aggregation, series: instrument.read() }
    })

  const takeOverflowed = (): ReadonlyArray<string> => {
    const fresh = new Set<string>()
    for (const { name, overflowed } of all()) if (overflowed && !reported.has(name)) fresh.add(name)
    for (const name of fresh) reported.add(name)
    return [...fresh]
  }

  return { push, read, takeOverflowed }
}
