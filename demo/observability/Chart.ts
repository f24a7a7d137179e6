// Lines over time as inline SVG: no script, no library, with a text for screen readers.
import { type Html, html } from "../../src/http/Html.ts"
import { english } from "../texts/DemoTexts.ts"
import type { Line } from "./Figures.ts"

const { dashboard } = english

export interface Chart {
  readonly title: string
  /** Prints a value with its unit. */
  readonly print: (value: number) => string
  readonly lines: ReadonlyArray<{ readonly name: string; readonly values: Line }>
  /** Epoch seconds of each value. */
  readonly times: ReadonlyArray<number>
  /** How many seconds the width stands for. */
  readonly width: number
  /** The label of the right end, and the text for screen readers. */
  readonly now?: string
  readonly summary?: (title: string, values: string) => string
}

const view = { width: 480, height: 170, left: 66, right: 8, top: 10, bottom: 24 }

/** The next round number: 1, 2 or 5 times a power of ten. */
export const ceiling = (value: number): number => {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 5].find((step) => step * power >= value) ?? 10) * power
}

const round = (value: number): string => String(Math.round(value * 10) / 10)

const latest = (values: Line): number | undefined => values.findLast((value) => value !== undefined)

export const chart = ({
  lines,
  now = dashboard.now,
  print,
  summary = dashboard.summary,
  times,
  title,
  width
}: Chart): Html => {
  const end = times.at(-1) ?? 0
  const max = ceiling(Math.max(0, ...lines.flatMap(({ values }) => values.filter((value) => value !== undefined))))
  const x = (time: number) => view.width - view.right - ((end - time) / width) * (view.width - view.left - view.right)
  const y = (value: number) => view.height - view.bottom - (value / max) * (view.height - view.top - view.bottom)

  // After a missing value the line starts again with a new `M`.
  const path = (values: Line) => {
    let commands = ""
    let pen = "M"
    values.forEach((value, index) => {
      if (value === undefined) pen = "M"
      else {
        commands += `${pen}${round(x(times[index] ?? end))} ${round(y(value))}`
        pen = "L"
      }
    })
    return commands
  }

  const grid = [0, 0.5, 1].map((part) => {
    const at = round(y(part * max))
    return html`<line class="grid" x1="${view.left}" x2="${view.width - view.right}" y1="${at}" y2="${at}" />
      <text x="${view.left - 6}" y="${at}" dy="4" text-anchor="end">${print(part * max)}</text>`
  })
  const ticks = [1, 0.5, 0].map(
    (part) =>
      html`<text x="${round(x(end - part * width))}" y="${view.height - 5}" text-anchor="${anchors[part]}">${ago(part * width, now)}</text>`
  )
  const values = lines.map(({ name, values }) => `${name} ${format(latest(values), print)}`).join(", ")

  return html`<figure class="card">
    <figcaption>
      <h2>${title}</h2>
      <p class="legend">
        ${lines.map(
          ({ name, values }, index) =>
            html`<span class="entry"><i class="key line${index}"></i>${name} <b>${format(latest(values), print)}</b></span>`
        )}
      </p>
    </figcaption>
    <svg viewBox="0 0 ${view.width} ${view.height}" role="img" aria-label="${summary(title, values)}">
      ${grid}${ticks}${lines.map(({ values }, index) => html`<path class="line line${index}" d="${path(values)}" />`)}
    </svg>
  </figure>`
}

const anchors: Readonly<Record<number, string>> = { 1: "start", 0.5: "middle", 0: "end" }

const format = (value: number | undefined, print: (value: number) => string): string =>
  value === undefined ? "–" : print(value)

const ago = (seconds: number, now: string): string => {
  if (seconds === 0) return now
  return seconds < 60 ? `−${seconds} s` : `−${seconds / 60} min`
}
