// The times of many requests as percentiles, and as a picture: the further right, the rarer.
import { html, type Html } from "../src/http/Html.ts"

export const path = "docs/latency.svg"

/** What is drawn. */
export const parts: ReadonlyArray<number> = [0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999, 0.9995, 0.9999]

/** The time that this part of the requests did not exceed; the times are sorted. */
export const at = (times: ReadonlyArray<number>, part: number): number =>
  times[Math.min(times.length - 1, Math.max(0, Math.ceil(times.length * part) - 1))] ?? Number.NaN

const [width, height, left, bottom] = [760, 350, 56, 34] as const
const colors = ["#2f7d5b", "#c2410c", "#0969da", "#57606a"]

const style = `text { font: 12px system-ui, sans-serif; fill: #57606a }
.tick { stroke: #8c959f; stroke-opacity: .3 }
.axis { text-anchor: middle; font-size: 11px }
.time { text-anchor: end; font-size: 11px }
@media (prefers-color-scheme: dark) { text { fill: #adbac7 } }`

const times = [0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000]

/** The lines by name, in milliseconds for each of `parts`; both scales are logarithmic. */
export const svg = (title: string, lines: Readonly<Record<string, ReadonlyArray<number>>>): string => {
  const all = Object.values(lines).flat()
  const shown = times.filter(
    (time, index) => (times[index + 1] ?? time) >= Math.min(...all) && (times[index - 1] ?? 0) <= Math.max(...all)
  )
  const [least, most] = [Math.log(shown[0] ?? 0.1), Math.log(shown.at(-1) ?? 1000)]
  const x = (index: number) => Math.round(left + (index / (parts.length - 1)) * (width - left - 24))
  const y = (time: number) =>
    Math.round(height - bottom - ((Math.log(time) - least) / (most - least)) * (height - bottom - 86))
  const line = ([name, values]: readonly [string, ReadonlyArray<number>], index: number): Html =>
    html`<polyline fill="none" stroke="${colors[index % colors.length] ?? ""}" stroke-width="2" points="${values.map((time, at) => `${x(at)},${y(time)}`).join(" ")}" /><text x="${left}" y="${34 + index * 15}" style="fill: ${colors[index % colors.length] ?? ""}">${name}</text>`
  return `${
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}"><style>${style}</style><text x="${left}" y="16">${title}</text>${shown.map((time) => html`<line class="tick" x1="${left}" x2="${width - 24}" y1="${y(time)}" y2="${y(time)}" /><text class="time" x="${left - 6}" y="${y(time) + 4}">${time} ms</text>`)}${parts.map((part, index) => html`<text class="axis" x="${x(index)}" y="${height - 12}">${+(part * 100).toFixed(2)} %</text>`)}${Object.entries(lines).map(line)}</svg>`
      .markup
  }\n`
}
