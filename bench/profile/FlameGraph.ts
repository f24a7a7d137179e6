// A flame graph as one SVG file: each box is a function, as wide as the time below it, above the function that called it.
import { html, type Html } from "../../src/http/Html.ts"
import { layers, type Layer, titles } from "./Layers.ts"
import type { Stack } from "./Stacks.ts"

const width = 1400
const line = 17
const top = 64
/** Narrower boxes are left out: nobody could read or point at them. */
const narrowest = 0.7
const letter = 6.4

const colours: Readonly<Record<Layer, string>> = {
  kernel: "#b8b8b8",
  native: "#c9ccd1",
  garbage: "#e3b7b7",
  node: "#b7d3a8",
  effect: "#a9c3ea",
  framework: "#f0bd72",
  drivers: "#cdb5e2",
  program: "#ee9a9a"
}

interface Box {
  readonly stack: Stack
  readonly x: number
  readonly depth: number
}

const widthOf = (stack: Stack, all: Stack): number => (all.total === 0 ? 0 : (stack.total / all.total) * width)

/** The boxes that are wide enough to see, from the root on. */
export const boxes = (all: Stack): ReadonlyArray<Box> => {
  const found: Array<Box> = []
  const place = (stack: Stack, x: number, depth: number) => {
    if (widthOf(stack, all) < narrowest) return
    found.push({ stack, x, depth })
    let next = x
    for (const child of stack.children) {
      place(child, next, depth + 1)
      next += widthOf(child, all)
    }
  }
  place(all, 0, 0)
  return found
}

const clipped = (text: string, room: number): string => {
  const letters = Math.floor((room - 6) / letter)
  if (letters < 3) return ""
  return text.length <= letters ? text : `${text.slice(0, letters - 1)}…`
}

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

const drawn = ({ depth, stack, x }: Box, all: Stack, height: number): Html => {
  const { frame, layer, self, total } = stack
  const y = height - (depth + 1) * line
  const wide = widthOf(stack, all)
  const place = frame.source === "" ? "" : ` ${frame.source}:${frame.line}`
  const label = clipped(frame.name, wide)
  return html`<g><title>${frame.name}${place} — ${percent(total / all.total)}, itself ${percent(self / all.total)}</title><rect class="${layer}" x="${x.toFixed(1)}" y="${y}" width="${Math.max(0.4, wide - 0.5).toFixed(1)}" height="${line - 1}" />${label !== "" && html`<text x="${(x + 3).toFixed(1)}" y="${y + 12}">${label}</text>`}</g>`
}

const legend = (layer: Layer, index: number): Html =>
  html`<rect class="${layer}" x="${4 + index * 150}" y="36" width="12" height="12" /><text x="${21 + index * 150}" y="46">${titles[layer]}</text>`

// The kernel is not sampled: its time is in the boxes of the native code that called it.
const shown = layers.filter((layer) => layer !== "kernel")

const style = [
  "text { font: 11px ui-monospace, monospace; fill: #1b1f24 }",
  ".title { font: 600 15px system-ui, sans-serif }",
  "svg { background: #fff }",
  ...layers.map((layer) => `.${layer} { fill: ${colours[layer]} }`)
].join("\n")

/** The tree as SVG. */
export const svg = (title: string, all: Stack): string => {
  const placed = boxes(all)
  const height = top + (Math.max(-1, ...placed.map(({ depth }) => depth)) + 1) * line + 4
  return `${
    html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${title}"><style>${style}</style><text class="title" x="4" y="20">${title}</text>${shown.map(legend)}${placed.map((box) => drawn(box, all, height))}</svg>`
      .markup
  }\n`
}
