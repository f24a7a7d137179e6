// A snapshot as a JSON document, and back.
import { Either } from "effect"
import { InvalidSnapshot, fromJson } from "./SnapshotDecoder.ts"
import type { Exporter } from "./Observability.ts"
import type { Distribution, Sample } from "./Series.ts"
import type { Snapshot } from "./Snapshot.ts"

/** The document, ending in a line break. `more` are members that stand before the metrics. */
export const encode = (snapshot: Snapshot, more: Readonly<Record<string, unknown>> = {}): string => {
  let text = `{"timestamp":${number(snapshot.timestamp)}`
  for (const [name, value] of Object.entries(more)) text += `,${JSON.stringify(name)}:${JSON.stringify(value)}`
  text += `,"metrics":{`
  let first = true
  for (const [name, metric] of snapshot.metrics) {
    text += `${first ? "" : ","}"${name}":{"type":"${metric.type}","help":${JSON.stringify(metric.help)},"series":[`
    text += metric.type === "histogram" ? metric.series.map(distribution).join() : metric.series.map(sample).join()
    text += "]}"
    first = false
  }
  return `${text}}}\n`
}

/** JSON for `Observability.export` and `dump`. */
export const exporter: Exporter = { contentType: "application/json", export: (snapshot) => encode(snapshot) }

/** What was encoded; the smallest flaw refuses the whole, since half a file is not half as true. */
export const decode = (text: string, alike?: Snapshot): Either.Either<Snapshot, InvalidSnapshot> =>
  Either.flatMap(parse(text), (document) => fromJson(document, alike))

/** A text as JSON, or why it is none. */
export const parse = (text: string): Either.Either<unknown, InvalidSnapshot> => {
  try {
    return Either.right(JSON.parse(text))
  } catch {
    return Either.left(new InvalidSnapshot({ reason: "it is not JSON" }))
  }
}

// JSON has no word for three of them, and for the negative zero one that `String` does not know.
const number = (value: number): string => {
  if (Object.is(value, -0)) return "-0"
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"+Inf"' : '"-Inf"'
}

const sample = ({ labels, value }: Sample): string =>
  `{"labels":${JSON.stringify(labels.record)},"value":${number(value)}}`

// Written by hand, because an object would put the bounds that are whole numbers before the others.
const distribution = ({ bounds, count, counts, labels, sum }: Distribution): string => {
  let text = `{"labels":${JSON.stringify(labels.record)},"buckets":{`
  for (let index = 0; index < bounds.length; index++) text += `"${bounds[index]}":${counts[index]},`
  return `${text}"+Inf":${count}},"sum":${number(sum)},"count":${count}}`
}
