// How far each figure is from its bar, as a picture: one line a figure, the bar is where they all begin.
import { html, type Html } from "../src/http/Html.ts"
import { number, passes, type Row } from "./Row.ts"

const labels = 420
const width = 900
const line = 22
const top = 46

/** How many times better than it had to be; below 1 it missed. */
export const margin = ({ bar = 1, better, ratio }: Row): number => (better === "higher" ? ratio / bar : bar / ratio)

const ticks = [0.5, 1, 2, 4, 8, 16, 32, 64]
const [least = 1, most = 1] = [ticks[0], ticks.at(-1)]

/** Where a margin stands; steps of equal width double. */
const across = (value: number): number => {
  const share = Math.log2(Math.min(Math.max(value, least), most) / least) / Math.log2(most / least)
  return Math.round(labels + share * (width - labels - 70))
}

const tick = (value: number, height: number): Html =>
  html`<line class="${value === 1 ? "bar" : "tick"}" x1="${across(value)}" x2="${across(value)}" y1="${top - 8}" y2="${height - 8}" /><text class="axis" x="${across(value)}" y="${top - 14}">${value === 1 ? "the bar" : `${value}×`}</text>`

const figure = (row: Row, index: number): Html => {
  const [from, to] = [across(1), across(margin(row))]
  const y = top + index * line
  return html`<text class="subject" x="${labels - 12}" y="${y + 13}">${row.subject}</text><rect class="${passes(row) ? "met" : "missed"}" x="${Math.min(from, to)}" y="${y + 3}" width="${Math.max(2, Math.abs(to - from))}" height="${line - 9}" rx="2" /><text class="value" x="${Math.max(from, to) + 6}" y="${y + 13}">${number(row.ratio)}</text>`
}

const style = `text { font: 12px system-ui, sans-serif; fill: #57606a }
.subject { text-anchor: end }
.axis { text-anchor: middle; font-size: 11px }
.tick { stroke: #8c959f; stroke-opacity: .3 }
.bar { stroke: #57606a; stroke-width: 1.5 }
.met { fill: #2f7d5b }
.missed { fill: #c2410c }
@media (prefers-color-scheme: dark) { text { fill: #adbac7 } .bar { stroke: #adbac7 } .met { fill: #57ab7f } .missed { fill: #e0823d } }`

/** The rows that have a bar, as SVG. */
export const svg = (rows: ReadonlyArray<Row>): string => {
  const drawn = rows.filter(({ bar }) => bar !== undefined)
  const height = top + drawn.length * line + 12
  return `${
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="How many times better than its bar each figure is"><style>${style}</style>${ticks.map((value) => tick(value, height))}${drawn.map(figure)}</svg>`
      .markup
  }\n`
}
