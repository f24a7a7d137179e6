// What a collector of this process gives, by the text of each series.
import { Effect } from "effect"
import type { Collector } from "../../../src/observability/Observability.ts"

/** The label of every series of this process. */
export const pid = `pid="${process.pid}"`

/** The values of a collector, by name and labels. */
export const figures = ({ collect }: Collector) =>
  Effect.map(collect, (readings) =>
    Object.fromEntries(
      readings.flatMap(({ name, series }) =>
        series.flatMap((item) => ("value" in item ? [[`${name}{${item.labels.text}}`, item.value]] : []))
      )
    )
  )
