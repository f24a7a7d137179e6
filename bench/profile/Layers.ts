// To which layer of a program a function belongs, by where its source is.
import type { CallFrame } from "./CpuProfile.ts"

/** In the order of the tables. `kernel` comes from the clock of the process, not from samples. */
export const layers = ["kernel", "native", "garbage", "node", "effect", "framework", "drivers", "program"] as const

export type Layer = (typeof layers)[number]

/** What each of them is. */
export const titles: Readonly<Record<Layer, string>> = {
  kernel: "kernel",
  native: "V8 and C++",
  garbage: "garbage collection",
  node: "Node.js",
  effect: "Effect",
  framework: "framework",
  drivers: "drivers",
  program: "program"
}

/** A function, by name and by the path of its source from the root of the project. */
export interface Frame {
  readonly name: string
  /** Empty for what has no source. */
  readonly source: string
  readonly line: number
}

const storeys = /^(?:src|layers|routes|app|create|testing)\//
const effect = /^node_modules\/(?:effect|@effect\/[^/]+)\//

/** The layer of a function; `undefined` while the process waits. */
export const layerOf = ({ name, source }: Frame): Layer | undefined => {
  if (source === "") {
    if (name === "(idle)") return undefined
    return name === "(garbage collector)" ? "garbage" : "native"
  }
  if (source.startsWith("node:")) return "node"
  if (effect.test(source)) return "effect"
  if (source.startsWith("node_modules/")) return "drivers"
  return storeys.test(source) ? "framework" : "program"
}

/** A position in a source: what a source map says of a position in a bundle. */
export type Original = (line: number, column: number) => { readonly source: string; readonly line: number } | undefined

const fromRoot = (path: string): string => {
  const packages = path.lastIndexOf("/node_modules/")
  if (packages >= 0) return path.slice(packages + 1)
  return path.replace(/^(?:\.\.\/)+/, "")
}

/** The function of a call frame; `originals` has the source map of each URL that has one. */
export const frameOf = (
  { columnNumber, functionName, lineNumber, url }: CallFrame,
  originals: ReadonlyMap<string, Original>,
  root: string
): Frame => {
  const name = functionName === "" ? "(anonymous)" : functionName
  if (url === "" || lineNumber < 0) return { name, source: url.startsWith("node:") ? url : "", line: 0 }
  const original = originals.get(url)?.(lineNumber, columnNumber)
  if (original !== undefined) return { name, source: fromRoot(original.source), line: original.line + 1 }
  const path = url.replace(/^file:\/\//, "")
  const inside = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path
  return { name, source: inside.startsWith("node:") ? inside : fromRoot(inside), line: lineNumber + 1 }
}
