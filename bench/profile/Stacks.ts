// A profile as one tree of functions with the time below each, and as a list of the functions that themselves ran longest.
import { type CpuProfile, type Node, selfTimes } from "./CpuProfile.ts"
import { type Frame, type Layer, layerOf } from "./Layers.ts"

/** A function in one place of the tree. */
export interface Stack {
  readonly frame: Frame
  readonly layer: Layer
  /** Microseconds in which it itself ran, and with everything that it called. */
  readonly self: number
  readonly total: number
  readonly children: ReadonlyArray<Stack>
}

const keyOf = ({ line, name, source }: Frame): string => `${name}\0${source}\0${line}`

const sum = (values: Iterable<number>): number => {
  let total = 0
  for (const value of values) total += value
  return total
}

/** The tree without the time in which the process waited; calls of one function from one place are one. */
export const tree = (profile: CpuProfile, frameOf: (node: Node) => Frame): Stack => {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const times = selfTimes(profile)
  const childrenOf = ({ children = [] }: Node): ReadonlyArray<Node> =>
    children.flatMap((id) => {
      const child = nodes.get(id)
      return child === undefined ? [] : [child]
    })
  const grown = (frame: Frame, same: ReadonlyArray<Node>): Stack => {
    const below = new Map<string, readonly [Frame, Array<Node>]>()
    for (const child of same.flatMap(childrenOf)) {
      const frame = frameOf(child)
      if (layerOf(frame) === undefined) continue
      const [, alike] = below.get(keyOf(frame)) ?? [frame, []]
      below.set(keyOf(frame), [frame, [...alike, child]])
    }
    const children = [...below.values()].map(([frame, nodes]) => grown(frame, nodes))
    const self = sum(same.map(({ id }) => times.get(id) ?? 0))
    const total = self + sum(children.map((child) => child.total))
    const layer = layerOf(frame) ?? "native"
    return { frame, layer, self, total, children: children.toSorted((one, other) => other.total - one.total) }
  }
  const called = new Set(profile.nodes.flatMap(({ children = [] }) => children))
  const roots = profile.nodes.filter(({ id }) => !called.has(id))
  return grown({ name: "(all)", source: "", line: 0 }, roots)
}

/** A function with the time in which it itself ran, wherever it was called. */
export interface Hot {
  readonly frame: Frame
  readonly layer: Layer
  readonly self: number
}

/** The functions of a tree, those that themselves ran longest first. */
export const hottest = (stack: Stack): ReadonlyArray<Hot> => {
  const found = new Map<string, Hot>()
  const visit = ({ children, frame, layer, self }: Stack) => {
    const known = found.get(keyOf(frame))?.self ?? 0
    found.set(keyOf(frame), { frame, layer, self: known + self })
    children.forEach(visit)
  }
  visit(stack)
  return [...found.values()].filter(({ self }) => self > 0).toSorted((one, other) => other.self - one.self)
}
