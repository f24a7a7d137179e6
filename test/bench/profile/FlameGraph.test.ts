import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { CpuProfile } from "../../../bench/profile/CpuProfile.ts"
import * as FlameGraph from "../../../bench/profile/FlameGraph.ts"
import { frameOf, layers } from "../../../bench/profile/Layers.ts"
import { hottest, type Stack, tree } from "../../../bench/profile/Stacks.ts"
import * as Summary from "../../../bench/profile/Summary.ts"

const functions = ["run", "<write>", "(idle)", "(garbage collector)", "read"]
const urls = ["", "node:net", "file:///app/layers/a.ts", "file:///app/node_modules/effect/b.js"]

// A random tree: the parent of each node is one of those before it.
const profiles: FastCheck.Arbitrary<CpuProfile> = FastCheck.array(
  FastCheck.record({
    parent: FastCheck.nat(),
    name: FastCheck.constantFrom(...functions),
    url: FastCheck.constantFrom(...urls)
  }),
  { minLength: 1, maxLength: 30 }
).chain((made) => {
  const parents = made.map(({ parent }, index) => (index === 0 ? -1 : parent % index))
  const nodes = made.map(({ name, url }, id) => ({
    id,
    callFrame: { functionName: id === 0 ? "(root)" : name, url: id === 0 ? "" : url, lineNumber: 1, columnNumber: 1 },
    children: parents.flatMap((parent, child) => (parent === id ? [child] : []))
  }))
  return FastCheck.array(FastCheck.tuple(FastCheck.nat(made.length - 1), FastCheck.nat(1000)), { maxLength: 60 }).map(
    (samples) => ({ nodes, samples: samples.map(([id]) => id), timeDeltas: [0, ...samples.map(([, time]) => time)] })
  )
})

const stacks = (profile: CpuProfile): Stack => tree(profile, ({ callFrame }) => frameOf(callFrame, new Map(), "/app"))

// Whether a node or one that called it waits: that time is left out.
const waits = ({ nodes }: CpuProfile, id: number): boolean => {
  const parent = nodes.find(({ children = [] }) => children.includes(id))
  const { functionName, url } = nodes[id]?.callFrame ?? { functionName: "", url: "" }
  return (
    (functionName === "(idle)" && url === "") ||
    (parent !== undefined && waits({ nodes, samples: [], timeDeltas: [] }, parent.id))
  )
}

describe("a profile as a tree", () => {
  it.prop("holds all the time in which the process did not wait", [profiles], ([profile]) => {
    const ran = profile.samples
      .map((id, index) => (waits(profile, id) ? 0 : (profile.timeDeltas[index + 1] ?? 0)))
      .reduce((sum, time) => sum + time, 0)
    const all = stacks(profile)
    expect(all.total).toBe(ran)
    expect(hottest(all).reduce((sum, { self }) => sum + self, 0)).toBe(ran)
  })

  it.prop(
    "has shares of layers that are 1 together",
    [profiles, FastCheck.double({ min: 0, max: 1, noNaN: true })],
    ([profile, kernel]) => {
      const all = stacks(profile)
      if (all.total === 0) return
      const shares = Object.values(Summary.make(all, kernel).layers)
      expect(shares).toHaveLength(layers.length)
      expect(shares.every((share) => share >= 0)).toBe(true)
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1)
    }
  )
})

describe("a flame graph", () => {
  it.prop("has every box inside the box that called it", [profiles], ([profile]) => {
    const all = stacks(profile)
    const placed = FlameGraph.boxes(all)
    const rightOf = ({ stack, x }: (typeof placed)[number]) => x + (stack.total / all.total) * 1400
    for (const box of placed) {
      const caller = placed.find(({ stack }) => stack.children.includes(box.stack))
      if (caller === undefined) continue
      expect(box.depth).toBe(caller.depth + 1)
      expect(box.x).toBeGreaterThanOrEqual(caller.x - 0.001)
      expect(rightOf(box)).toBeLessThanOrEqual(rightOf(caller) + 0.001)
    }
  })

  it.prop("is one element whose texts are escaped", [profiles], ([profile]) => {
    const drawn = FlameGraph.svg("a <title>", stacks(profile))
    expect(drawn.startsWith("<svg ")).toBe(true)
    expect(drawn.endsWith("</svg>\n")).toBe(true)
    expect(drawn).toContain("a &lt;title&gt;")
    expect(drawn).not.toContain("<write>")
    expect(drawn.match(/<g>/g)?.length ?? 0).toBe(drawn.match(/<\/g>/g)?.length ?? 0)
  })
})
