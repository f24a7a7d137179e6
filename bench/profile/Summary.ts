// What is kept of a profile: the share of each layer, and of the functions that themselves ran longest.
import { type Frame, type Layer, layers } from "./Layers.ts"
import { hottest, type Stack } from "./Stacks.ts"

export interface Summary {
  /** Shares of the time in which the main thread ran; together 1. */
  readonly layers: Readonly<Record<Layer, number>>
  readonly functions: ReadonlyArray<{ readonly name: string; readonly share: number }>
}

const kept = 10

const named = ({ line, name, source }: Frame): string =>
  source === "" ? name : `${name} (${source.replace(/^node_modules\//, "")}:${line})`

/**
 * The summary of a tree of which the kernel took this share. A system call is made by native code, so that is where the
 * samples have counted it.
 */
export const make = (stack: Stack, kernel: number): Summary => {
  const functions = hottest(stack)
  const share = (layer: Layer) =>
    functions.filter((one) => one.layer === layer).reduce((sum, { self }) => sum + self, 0) / stack.total
  const sampled = Object.fromEntries(layers.map((layer) => [layer, share(layer)])) as Record<Layer, number>
  const inKernel = Math.min(Math.max(0, kernel), sampled.native)
  return {
    layers: { ...sampled, kernel: inKernel, native: sampled.native - inKernel },
    functions: functions.slice(0, kept).map(({ frame, self }) => ({ name: named(frame), share: self / stack.total }))
  }
}
