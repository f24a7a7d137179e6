import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Fleet from "../../../src/observability/Fleet.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import { peaceable } from "./Snapshots.ts"

const snapshot = (timestamp: number, count: number) =>
  Snapshot.make(timestamp, [
    { name: "requests_total", type: "counter", help: "", series: [{ labels: Labels.none, value: count }] },
    { name: "in_flight", type: "gauge", help: "", series: [{ labels: Labels.none, value: 1 }] }
  ])

const entry = (id: string, count: number, more: Partial<Fleet.Entry & Fleet.Origin> = {}): Fleet.Entry => ({
  origin: { id, started: more.started ?? 100, members: more.members ?? [] },
  standing: more.standing ?? "Serving",
  snapshot: more.snapshot ?? snapshot(1000, count)
})

const value = ({ metrics }: Snapshot.Snapshot, name: string) => {
  const [item] = metrics.get(name)?.series ?? []
  return item !== undefined && "value" in item ? item.value : undefined
}

const requests = (entries: ReadonlyArray<Fleet.Entry>) => value(Fleet.whole(entries).snapshot, "requests_total")

describe("the standing of a worker", () => {
  it("follows from its life and the age of its file; a date to come is fresh", () => {
    expect(Fleet.standing(true, 59, 60)).toBe("Serving")
    expect(Fleet.standing(true, 61, 60)).toBe("Silent")
    expect(Fleet.standing(true, -5000, 60)).toBe("Serving")
    expect(Fleet.standing(false, 0, 60)).toBe("Gone")
    expect(Fleet.standing(false, -5000, 60)).toBe("Gone")
  })
})

describe("the whole fleet", () => {
  it("adds up all that serve", () => {
    const { snapshot } = Fleet.whole([entry("a", 1), entry("b", 2)])
    expect([value(snapshot, "requests_total"), value(snapshot, "in_flight")]).toEqual([3, 2])
  })

  it("keeps the counters of the silent and the gone, and lets their gauges go", () => {
    const all = [entry("a", 1), entry("b", 2, { standing: "Silent" }), entry("c", 4, { standing: "Gone" })]
    const { snapshot } = Fleet.whole(all)
    expect([value(snapshot, "requests_total"), value(snapshot, "in_flight")]).toEqual([7, 1])
  })

  it("has counted since its oldest part began", () => {
    expect(Fleet.whole([entry("a", 1, { started: 50 }), entry("b", 1, { started: 20 })]).started).toBe(20)
    expect(Fleet.whole([]).started).toBe(0)
  })

  it("does not count again what a fold already holds", () => {
    expect(requests([entry("a", 1), entry("fold", 10, { members: ["a"], standing: "Gone" })])).toBe(10)
  })

  it("takes the later of two that speak for one origin", () => {
    const early = entry("a", 1, { snapshot: snapshot(10, 1) })
    const late = entry("a", 5, { snapshot: snapshot(11, 5) })
    expect([requests([early, late]), requests([late, early])]).toEqual([5, 5])
  })
})

describe("a fold of the dead", () => {
  it("keeps counters, drops gauges, and begins with the oldest", () => {
    const dead = [entry("a", 1, { standing: "Gone", started: 7 }), entry("b", 2, { standing: "Gone" })]
    const fold = Fleet.bundle("fold", dead, dead)
    expect(value(fold.snapshot, "requests_total")).toBe(3)
    expect(fold.snapshot.metrics.has("in_flight")).toBe(false)
    expect(fold.origin).toEqual({ id: "fold", started: 7, members: ["a", "b"] })
  })

  it("remembers a member of a member only while a file of it is there", () => {
    const inner = entry("fold1", 10, { members: ["a", "b"], standing: "Gone" })
    const leftover = entry("a", 1, { standing: "Gone" })
    const dead = [inner, entry("c", 2, { standing: "Gone" })]
    expect(Fleet.bundle("fold2", dead, [...dead, leftover]).origin.members).toEqual(["fold1", "a", "c"])
    expect(Fleet.bundle("fold2", dead, dead).origin.members).toEqual(["fold1", "c"])
  })

  it.prop(
    "gives the same sum however often, in whatever order and with whatever crashes it is made",
    [FastCheck.array(peaceable, { minLength: 1, maxLength: 6 }), FastCheck.array(FastCheck.nat(), { maxLength: 6 })],
    ([snapshots, choices]) => {
      let directory: ReadonlyArray<Fleet.Entry> = snapshots.map((snapshot, index) =>
        entry(`w${index}`, 0, { snapshot, standing: "Gone" })
      )
      const truth = Fleet.whole(directory).snapshot
      choices.forEach((choice, round) => {
        const live = Fleet.distinct(directory)
        const dead = live.filter((_, index) => (choice >> index) % 2 === 0)
        const fold = Fleet.bundle(`f${round}`, dead, directory)
        // A crash may leave any of the folded files behind.
        const gone = new Set(dead.filter((_, index) => (choice >> (index + 8)) % 2 === 0))
        directory = [...directory.filter((item) => !gone.has(item)), fold]
        expect(Fleet.whole(directory).snapshot.metrics).toEqual(truth.metrics)
      })
    }
  )
})
