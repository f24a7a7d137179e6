// The instruments of a process, taken in only where all of them can be printed together.
import { Either } from "effect"
import { histogramOf, histogramParts, type Instrument, type InvalidInstrument, refuse } from "./Instrument.ts"
import type { Type } from "./Series.ts"
import type { Reading } from "./Snapshot.ts"

/** Takes instruments in, reads all of them, and tells which ran over their bound. */
export interface Registry {
  readonly push: (instrument: Instrument) => Either.Either<void, InvalidInstrument>
  readonly read: () => ReadonlyArray<Reading>
  /** Names that ran over since this was last asked. */
  readonly overflowed: () => ReadonlyArray<string>
}

interface Owners {
  readonly type: Type
  readonly instruments: Set<Instrument>
  readonly labels: Set<string>
}

/** `limit` is how many instruments one name may have; a family counts once and has a limit of its own. */
export const make = (limit: number): Registry => {
  const names = new Map<string, Owners>()
  const told = new Set<string>()

  const fault = ({ labels, name, type }: Instrument): string | undefined => {
    const owners = names.get(name)
    if (owners !== undefined) {
      if (owners.type !== type) return `it is a ${owners.type} already and cannot be a ${type} too`
      if (labels !== undefined && owners.labels.has(labels.text)) return `{${labels.text}} is there already`
      return owners.instruments.size >= limit ? `it has ${limit} series already; make it a family` : undefined
    }
    const histogram = histogramOf(name)
    if (histogram !== undefined && names.get(histogram)?.type === "histogram") {
      return `the histogram ${histogram} prints this name`
    }
    const part = type === "histogram" ? histogramParts(name).find((other) => names.has(other)) : undefined
    return part === undefined ? undefined : `it would print ${part}, which is there already`
  }

  const push = (instrument: Instrument): Either.Either<void, InvalidInstrument> => {
    const { labels, name, type } = instrument
    const owners = names.get(name) ?? { type, instruments: new Set(), labels: new Set() }
    if (owners.instruments.has(instrument)) return Either.void
    const reason = fault(instrument)
    if (reason !== undefined) return refuse(name, reason)
    owners.instruments.add(instrument)
    if (labels !== undefined) owners.labels.add(labels.text)
    names.set(name, owners)
    return Either.void
  }

  const all = function* () {
    for (const { instruments } of names.values()) yield* instruments
  }

  const read = (): ReadonlyArray<Reading> =>
    Array.from(all(), (instrument) => {
      const { help, name, type } = instrument
      return { name, type, help, series: instrument.read() }
    })

  const overflowed = (): ReadonlyArray<string> => {
    const fresh = new Set<string>()
    for (const { name, overflowed } of all()) if (overflowed && !told.has(name)) fresh.add(name)
    for (const name of fresh) told.add(name)
    return [...fresh]
  }

  return { push, read, overflowed }
}
