// A trace as an SVG picture: one row for each span, with a bar from its start to its end, in light and in dark.
import type { Place, Trace, TracedSpan } from "./Traces.ts"

const width = 960
const names = 400
const track = { left: 412, right: 872 }
const row = 34
const gap = 26

/** The name of the picture of the first, second trace. */
export const file = (index: number): string => `trace-${index + 1}.svg`

const style = `text { font: 13px system-ui, sans-serif; fill: #24292f }
.title { font-size: 16px; font-weight: 600 }
.sql { font: 10.5px ui-monospace, monospace; fill: #57606a }
.number { text-anchor: end; font-variant-numeric: tabular-nums; fill: #57606a }
.place { font-weight: 600; fill: #57606a }
.line { stroke: #8c959f; stroke-opacity: .35 }
.browser { fill: #8250df } .server { fill: #2f6feb } .statement { fill: #2f7d5b } .queue { fill: #bc6a12 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .sql, .number, .place { fill: #adbac7 } .browser { fill: #b083f0 }
.server { fill: #6ca4f8 } .statement { fill: #57ab7f } .queue { fill: #e0a15a } }`

const escape = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")

const clip = (text: string, length: number): string => (text.length <= length ? text : `${text.slice(0, length - 1)}…`)

const milliseconds = (value: number): string =>
  value >= 1000 ? `${(value / 1000).toFixed(2)} s` : `${value.toFixed(value < 10 ? 2 : 1)} ms`

/** Each span below its parent, with its depth. */
const ordered = ({ spans }: Trace): ReadonlyArray<readonly [span: TracedSpan, depth: number]> => {
  const below = (parent: number | undefined, depth: number): ReadonlyArray<readonly [TracedSpan, number]> =>
    spans.flatMap((span, index) => (span.parent === parent ? [[span, depth] as const, ...below(index, depth + 1)] : []))
  return below(undefined, 0)
}

const endOf = ({ duration, start }: TracedSpan): number => start + duration

const kindOf = ({ place, statement }: TracedSpan): string =>
  place === "server" && statement !== undefined ? "statement" : place

interface Scale {
  readonly from: number
  readonly to: number
}

const printRow = ([span, depth]: readonly [TracedSpan, number], y: number, { from, to }: Scale): string => {
  const unit = (track.right - track.left) / Math.max(0.01, to - from)
  const x = Math.min(track.right - 2, track.left + (span.start - from) * unit)
  const length = Math.max(2, Math.min(track.right - x, span.duration * unit))
  const left = 16 + Math.min(depth, 6) * 14
  const characters = Math.floor((names - left) / 6.4)
  const statement =
    span.statement === undefined
      ? ""
      : `<text class="sql" x="${left}" y="${y + 28}">${escape(clip(span.statement.replace(/\s+/g, " "), characters))}</text>`
  return (
    `<line class="line" x1="16" x2="${width - 16}" y1="${y}" y2="${y}" />` +
    `<text x="${left}" y="${y + (statement === "" ? 22 : 15)}">${escape(span.name)}</text>${statement}` +
    `<rect class="${kindOf(span)}" x="${x.toFixed(1)}" y="${y + 11}" width="${length.toFixed(1)}" height="12" rx="2" />` +
    `<text class="number" x="${width - 16}" y="${y + 22}">${milliseconds(span.duration)}</text>`
  )
}

const titles: Readonly<Record<"web" | "queue", (later: number) => string>> = {
  web: () => "The browser and the server",
  queue: (later) => `The process of the mail queue, ${milliseconds(later)} after the beginning`
}

const isQueue = (place: Place): boolean => place === "queue"

/** The picture of a trace. What the queue did has a scale of its own: it may be much later. */
export const render = (trace: Trace): string => {
  const rows = ordered(trace)
  const panels = [
    { title: titles.web, rows: rows.filter(([{ place }]) => !isQueue(place)) },
    { title: titles.queue, rows: rows.filter(([{ place }]) => isQueue(place)) }
  ].filter((panel) => panel.rows.length > 0)
  let y = 44
  const parts: Array<string> = []
  for (const panel of panels) {
    const from = Math.min(...panel.rows.map(([span]) => span.start))
    const to = Math.max(...panel.rows.map(([span]) => endOf(span)))
    parts.push(
      `<text class="place" x="16" y="${y + 16}">${escape(panel.title(from))}</text>` +
        `<text class="number" x="${track.right}" y="${y + 16}">${milliseconds(to - from)}</text>`
    )
    y += gap
    for (const one of panel.rows) {
      parts.push(printRow(one, y, { from, to }))
      y += row
    }
    y += 12
  }
  const label = escape(`${trace.title}: ${rows.length} spans`)
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" ` +
    `aria-label="${label}"><style>${style}</style>\n` +
    `<text class="title" x="16" y="28">${escape(trace.title)}</text>\n${parts.join("\n")}\n</svg>\n`
  )
}
