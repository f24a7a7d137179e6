// Writes the JSON document of a snapshot. Built as text, because an object would sort integer bounds before the others.
import type { Distribution, Sample } from "./Series.ts"
import type { Snapshot } from "../../Snapshot.ts"

/** The document, ending in a line break. `members` are written before the metrics; exemplars only if they are wanted. */
export const encode = (
  snapshot: Snapshot,
  members: Readonly<Record<string, unknown>>,
  { exemplars = false }: { readonly exemplars?: boolean } = {}
): string => {
  const histogram = exemplars ? distributionWithExemplars : distribution
  let text = `{"timestamp":${number(snapshot.timestamp)}`
  for (const [name, value] of Object.entries(members)) text += `,${JSON.stringify(name)}:${JSON.stringify(value)}`
  text += `,"metrics":{`
  let first = true
  for (const [name, metric] of snapshot.metrics) {
    text += `${first ? "" : ","}"${name}":{"type":"${metric.type}","help":${JSON.stringify(metric.help)},`
    if (metric.type === "gauge" && metric.aggregation !== undefined) text += `"aggregation":"${metric.aggregation}",`
    text += `"series":[`
    text += metric.type === "histogram" ? metric.series.map(histogram).join() : metric.series.map(sample).join()
    text += "]}"
    first = false
  }
  return `${text}}}\n`
}

// JSON has no NaN and no infinities, and `String` prints a negative zero without its sign.
const number = (value: number): string => {
  if (Object.is(value, -0)) return "-0"
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? '"NaN"' : value > 0 ? '"+Inf"' : '"-Inf"'
}

const sample = ({ labels, value }: Sample): string =>
  `{"labels":${JSON.stringify(labels.record)},"value":${number(value)}}`

const distribution = ({ bounds, count, counts, labels, sum }: Distribution): string => {
  let text = `{"labels":${JSON.stringify(labels.record)},"buckets":{`
  for (let index = 0; index < bounds.length; index++) text += `"${bounds[index]}":${counts[index]},`
  return `${text}"+Inf":${count}},"sum":${number(sum)},"count":${count}}`
}

// Each as a list: bucket, trace, value, timestamp.
const distributionWithExemplars = (series: Distribution): string => {
  if (series.exemplars === undefined) return distribution(series)
  const lists = series.exemplars.map(({ bucket, timestamp, trace, value }) =>
    JSON.stringify([bucket, trace, value, timestamp])
  )
  return `${distribution(series).slice(0, -1)},"exemplars":[${lists.join()}]}`
}
