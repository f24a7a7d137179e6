// One line of the measurements: what was measured, how we did, how the peer did, and the bar that was set.
export interface Row {
  readonly subject: string
  readonly ours: number
  readonly peer: number | undefined
  readonly unit: string
  /** As the bar is written: ours over peer's, or peer's over ours. */
  readonly ratio: number
  readonly bar: number | undefined
  readonly better: "higher" | "lower"
  /** Measured too long ago to say whether the bar is met. */
  readonly outdated?: boolean
}

/** Whether the bar was met; without one there is nothing to miss. */
export const passes = ({ bar, better, outdated, ratio }: Row): boolean =>
  outdated !== true && (bar === undefined || (better === "higher" ? ratio >= bar : ratio <= bar))

/** A figure with as many digits as it deserves. */
export const number = (value: number): string => {
  if (value >= 1000) return Math.round(value).toLocaleString("en-GB")
  return value >= 10 ? value.toFixed(1) : value.toPrecision(3)
}

const cells = (row: Row): ReadonlyArray<string> => [
  row.subject,
  `${number(row.ours)} ${row.unit}`,
  row.peer === undefined ? "" : `${number(row.peer)} ${row.unit}`,
  number(row.ratio),
  row.bar === undefined ? "" : `${row.better === "higher" ? "≥" : "≤"} ${row.bar}`,
  row.bar === undefined ? "" : passes(row) ? "met" : "MISSED"
]

/** Lines of cells as a Markdown table; the first line is its head. */
export const textTable = (lines: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = lines[0]?.map((_, column) => Math.max(3, ...lines.map((line) => line[column]?.length ?? 0))) ?? []
  const print = (line: ReadonlyArray<string>) =>
    `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`
  const [head = [], ...body] = lines
  return [print(head), print(widths.map((width) => "-".repeat(width))), ...body.map(print)].join("\n")
}

/** The rows of one run. */
export const table = (rows: ReadonlyArray<Row>): string =>
  textTable([["what", "ours", "peer", "ratio", "bar", "verdict"], ...rows.map(cells)])
