// How far each figure is from its bar, as a picture: one line for each figure and processor; all of them begin
// at the bar.
import { html, type Html } from "../src/http/Html.ts"
import { type Figure, processor } from "./Figures.ts"
import type { Machine } from "./Results.ts"
import { number, passes, type Row } from "./Row.ts"

const labels = 500
const width = 1130
const line = 16
const gap = 8
const top = 46

/** How many times better than it had to be; below 1 it missed. */
export const margin = ({ bar = 1, better, ratio }: Row): number => (better === "higher" ? ratio / bar : bar / ratio)

const ticks = [0.5, 1, 2, 4, 8, 16, 32, 64]
const [least = 1, most = 1] = [ticks[0], ticks.at(-1)]

/** Where a margin stands; steps of equal width double. */
const across = (value: number): number => {
  const share = Math.log2(Math.min(Math.max(value, least), most) / least) / Math.log2(most / least)
  return Math.round(labels + share * (width - labels - 150))
}

const tick = (value: number, height: number): Html =>
  html`<line class="${value === 1 ? "bar" : "tick"}" x1="${across(value)}" x2="${across(value)}" y1="${top - 8}" y2="${height - 8}" /><text class="axis" x="${across(value)}" y="${top - 14}">${value === 1 ? "the bar" : `${value}×`}</text>`

const measured = (row: Row, machine: Machine, y: number): Html => {
  const [from, to] = [across(1), across(margin(row))]
  return html`<rect class="${row.outdated === true ? "old" : passes(row) ? "met" : "missed"}" x="${Math.min(from, to)}" y="${y + 2}" width="${Math.max(2, Math.abs(to - from))}" height="${line - 5}" rx="2"><title>${processor(machine)}</title></rect><text class="value" x="${Math.max(from, to) + 6}" y="${y + 12}">${number(row.ratio)} ${processor(machine)}</text>`
}

const figure = ({ rows, subject }: Figure, machines: ReadonlyArray<Machine>, y: number): Html => {
  const drawn = machines.flatMap((machine, index) => {
    const row = rows[index]
    return row === undefined ? [] : [[row, machine] as const]
  })
  return html`<text class="subject" x="${labels - 12}" y="${y + 12}">${subject}</text>${drawn.map(([row, machine], index) => measured(row, machine, y + index * line))}`
}

const style = `text { font: 12px system-ui, sans-serif; fill: #57606a }
.subject { text-anchor: end }
.value { font-size: 11px }
.axis { text-anchor: middle; font-size: 11px }
.tick { stroke: #8c959f; stroke-opacity: .3 }
.bar { stroke: #57606a; stroke-width: 1.5 }
.met { fill: #2f7d5b }
.missed { fill: #c2410c }
.old { fill: #8c959f }
@media (prefers-color-scheme: dark) { text { fill: #adbac7 } .bar { stroke: #adbac7 } .met { fill: #57ab7f } .missed { fill: #e0823d } }`

const heightOf = ({ rows }: Figure): number => rows.filter((row) => row !== undefined).length * line + gap

/** The figures that have a bar, as SVG. */
export const svg = (figures: ReadonlyArray<Figure>, machines: ReadonlyArray<Machine>): string => {
  const drawn = figures.filter(({ bar }) => bar !== undefined)
  const places = drawn.map((_, index) => drawn.slice(0, index).reduce((sum, one) => sum + heightOf(one), top))
  const height = drawn.reduce((sum, one) => sum + heightOf(one), top) + 12
  return `${
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="How many times better than its bar each figure is"><style>${style}</style>${ticks.map((value) => tick(value, height))}${drawn.map((one, index) => figure(one, machines, places[index] ?? top))}</svg>`
      .markup
  }\n`
}
