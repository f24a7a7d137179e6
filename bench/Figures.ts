// One figure and what each kind of processor measured for it, side by side.
import { number, passes, type Row, textTable } from "./Row.ts"
import type { Machine, Results } from "./Results.ts"

export interface Figure {
  readonly subject: string
  readonly bar: number | undefined
  readonly better: Row["better"]
  /** The row of each processor, in the order of the results; `undefined` where it was not measured. */
  readonly rows: ReadonlyArray<Row | undefined>
}

/** The name of a processor without what all of them have. The clock stays: two of one family may differ in nothing else. */
export const processor = ({ model }: Machine): string =>
  model
    .replaceAll(/\((?:R|TM)\)|\b(?:CPU|Processor)\b|@/gi, " ")
    .replaceAll(/\s+/g, " ")
    .trim()

/** The figures of a subject, in the order of the run that has most of them; those of other runs follow. */
export const of = (results: Results, name: string): ReadonlyArray<Figure> => {
  const all = results.map(({ results, taken }) =>
    (results[name] ?? []).map((row) => Object.assign({}, row, { outdated: taken?.[name]?.outdated ?? true }))
  )
  const subjects = new Set(
    all.toSorted((one, other) => other.length - one.length).flatMap((rows) => rows.map(({ subject }) => subject))
  )
  return [...subjects].map((subject) => {
    const rows = all.map((rows) => rows.find((row) => row.subject === subject))
    const known = rows.find((row) => row !== undefined)
    return { subject, bar: known?.bar, better: known?.better ?? "higher", rows }
  })
}

const isOwnUnit = ({ ours, peer, ratio }: Row): boolean => peer === undefined && ours === ratio

/** The ratio, or the figure itself where it is compared with nothing; and whether it meets its bar. */
const ratio = (row: Row | undefined): string => {
  if (row === undefined) return "–"
  const value = isOwnUnit(row) && row.unit !== "" ? `${number(row.ratio)} ${row.unit}` : number(row.ratio)
  if (row.outdated === true) return `*${value}* (old)`
  return row.bar === undefined ? value : `${value} ${passes(row) ? "met" : "MISSED"}`
}

const bar = ({ bar, better }: Figure): string => (bar === undefined ? "" : `${better === "higher" ? "≥" : "≤"} ${bar}`)

/** The figures with a column for each processor. */
export const table = (figures: ReadonlyArray<Figure>, machines: ReadonlyArray<Machine>): string =>
  textTable([
    ["what", "bar", ...machines.map(processor)],
    ...figures.map((figure) => [figure.subject, bar(figure), ...figure.rows.map(ratio)])
  ])

/** What a table of figures was measured with, for each processor. */
export const stamps = (results: Results, name: string): string =>
  results
    .flatMap(({ machine, taken }) => {
      const stamp = taken?.[name]
      if (stamp === undefined) return []
      const { commit, date, load, node, outdated } = stamp
      const printed = `${processor(machine)}: ${commit.slice(0, 8)}, ${date}, Node.js ${node.replace(/^v/, "")}, ${load}`
      return [outdated ? `${printed} (old).` : `${printed}.`]
    })
    .join(" ")
