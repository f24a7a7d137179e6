import { describe, expect, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as FleetEntry from "../../../src/observability/internal/snapshot/FleetEntry.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import type { Series } from "../../../src/observability/internal/snapshot/Series.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import { peaceable } from "./Snapshots.ts"

const snapshot = (timestamp: number, count: number) =>
  Snapshot.make(timestamp, [
    { name: "requests_total", type: "counter", help: "", series: [{ labels: Labels.of({}), value: count }] },
    { name: "in_flight", type: "gauge", help: "", series: [{ labels: Labels.of({}), value: 1 }] }
  ])

const entry = (
  id: string,
  count: number,
  more: Partial<FleetEntry.FleetEntry & FleetEntry.Origin> = {}
): FleetEntry.FleetEntry => ({
  origin: { id, started: more.started ?? 100, members: more.members ?? [] },
  status: more.status ?? "Serving",
  snapshot: more.snapshot ?? snapshot(1000, count)
})

const value = ({ metrics }: Snapshot.Snapshot, name: string) => {
  const [item] = metrics.get(name)?.series ?? []
  return item !== undefined && "value" in item ? item.value : undefined
}

const requests = (entries: ReadonlyArray<FleetEntry.FleetEntry>) =>
  value(FleetEntry.mergeEntries(entries).snapshot, "requests_total")

describe("the standing of a worker", () => {
  it("follows from its life and the age of its file; a date to come is fresh", () => {
    expect(FleetEntry.workerStatus(true, 59, 60)).toBe("Serving")
    expect(FleetEntry.workerStatus(true, 61, 60)).toBe("Silent")
    expect(FleetEntry.workerStatus(true, -5000, 60)).toBe("Serving")
    expect(FleetEntry.workerStatus(false, 0, 60)).toBe("Gone")
    expect(FleetEntry.workerStatus(false, -5000, 60)).toBe("Gone")
  })
})

describe("the whole fleet", () => {
  it("adds up all that serve", () => {
    const { snapshot } = FleetEntry.mergeEntries([entry("a", 1), entry("b", 2)])
    expect([value(snapshot, "requests_total"), value(snapshot, "in_flight")]).toEqual([3, 2])
  })

  it("keeps the counters of the silent and the gone, and lets their gauges go", () => {
    const all = [entry("a", 1), entry("b", 2, { status: "Silent" }), entry("c", 4, { status: "Gone" })]
    const { snapshot } = FleetEntry.mergeEntries(all)
    expect([value(snapshot, "requests_total"), value(snapshot, "in_flight")]).toEqual([7, 1])
  })

  it("has counted since its oldest part began", () => {
    expect(FleetEntry.mergeEntries([entry("a", 1, { started: 50 }), entry("b", 1, { started: 20 })]).started).toBe(20)
    expect(FleetEntry.mergeEntries([]).started).toBe(0)
  })

  it("does not count again what a fold already holds", () => {
    expect(requests([entry("a", 1), entry("fold", 10, { members: ["a"], status: "Gone" })])).toBe(10)
  })

  it("takes the later of two that speak for one origin", () => {
    const early = entry("a", 1, { snapshot: snapshot(10, 1) })
    const late = entry("a", 5, { snapshot: snapshot(11, 5) })
    expect([requests([early, late]), requests([late, early])]).toEqual([5, 5])
  })
})

describe("a fold of the dead", () => {
  it("keeps counters, drops gauges, and begins with the oldest", () => {
    const dead = [entry("a", 1, { status: "Gone", started: 7 }), entry("b", 2, { status: "Gone" })]
    const fold = FleetEntry.mergeDead("fold", dead, dead)
    expect(value(fold.snapshot, "requests_total")).toBe(3)
    expect(fold.snapshot.metrics.has("in_flight")).toBe(false)
    expect(fold.origin).toEqual({ id: "fold", started: 7, members: ["a", "b"] })
  })

  it("remembers a member of a member only while a file of it is there", () => {
    const inner = entry("fold1", 10, { members: ["a", "b"], status: "Gone" })
    const leftover = entry("a", 1, { status: "Gone" })
    const dead = [inner, entry("c", 2, { status: "Gone" })]
    expect(FleetEntry.mergeDead("fold2", dead, [...dead, leftover]).origin.members).toEqual(["fold1", "a", "c"])
    expect(FleetEntry.mergeDead("fold2", dead, dead).origin.members).toEqual(["fold1", "c"])
  })

  it("keeps one series of what the dead counted under their process ids, and those of the living", () => {
    const labelled = (pid: string, value: number, method?: string) => ({
      labels: Labels.of({ pid, ...(method === undefined ? {} : { method }) }),
      value
    })
    const bytes = (...series: ReadonlyArray<Series>) =>
      Snapshot.make(1, [{ name: "bytes_total", type: "counter", help: "", series }])
    const dead = [
      entry("1", 0, { status: "Gone", snapshot: bytes(labelled("1", 5), labelled("1", 7, "GET")) }),
      entry("2", 0, { status: "Gone", snapshot: bytes(labelled("2", 10), labelled("2", 1, "PUT")) }),
      // As folds were written that kept the ids.
      entry("fold", 0, { status: "Gone", snapshot: bytes(labelled("3", 100), labelled("4", 100)) })
    ]
    const silent = entry("5", 0, { status: "Silent", snapshot: bytes(labelled("5", 1000)) })
    const serving = entry("6", 0, { snapshot: bytes(labelled("6", 10_000)) })
    const seen = (entries: ReadonlyArray<FleetEntry.FleetEntry>) =>
      FleetEntry.mergeEntries(entries)
        .snapshot.metrics.get("bytes_total")
        ?.series.map((item) => [item.labels.text, "value" in item ? item.value : undefined])
    const expected = [
      ['method="GET",pid="retired"', 7],
      ['method="PUT",pid="retired"', 1],
      ['pid="5"', 1000],
      ['pid="6"', 10_000],
      ['pid="retired"', 215]
    ]
    expect(seen([...dead, silent, serving])).toEqual(expected)
    expect(seen([FleetEntry.mergeDead("all", dead, dead), silent, serving])).toEqual(expected)
  })

  it("loses what is not finite: it would spoil the sum for ever", () => {
    const broken = (number: number) =>
      Snapshot.make(1, [
        { name: "requests_total", type: "counter", help: "", series: [{ labels: Labels.of({}), value: number }] },
        {
          name: "wait_seconds",
          type: "histogram",
          help: "",
          series: [{ labels: Labels.of({}), bounds: [1], counts: [1], sum: number, count: 1 }]
        }
      ])
    for (const number of [Number.NaN, Infinity, -Infinity]) {
      const dead = entry("a", 0, { status: "Gone", snapshot: broken(number) })
      const { metrics } = FleetEntry.mergeEntries([
        dead,
        entry("b", 3),
        entry("c", 0, { snapshot: broken(2) })
      ]).snapshot
      expect(value({ timestamp: 0, metrics }, "requests_total")).toBe(5)
      expect(metrics.get("wait_seconds")?.series).toMatchObject([{ sum: 2, count: 1 }])
    }
  })

  it("adds up the histograms of the dead, and counts other bounds as a conflict", () => {
    const histogram = (pid: string, bounds: ReadonlyArray<number>): FleetEntry.FleetEntry =>
      entry(pid, 0, {
        status: "Gone",
        snapshot: Snapshot.make(1, [
          {
            name: "wait_seconds",
            type: "histogram",
            help: "",
            series: [{ labels: Labels.of({ pid }), bounds, counts: bounds.map(() => 1), sum: 2, count: 3 }]
          }
        ])
      })
    const { metrics } = FleetEntry.mergeEntries([
      histogram("1", [1, 2]),
      histogram("2", [1, 2]),
      histogram("3", [5])
    ]).snapshot
    expect(metrics.get("wait_seconds")?.series).toEqual([
      { labels: Labels.of({ pid: "retired" }), bounds: [1, 2], counts: [2, 2], sum: 4, count: 6 }
    ])
    expect(value({ timestamp: 0, metrics }, "metrics_merge_conflicts_total")).toBe(1)
  })

  it.prop(
    "never lets a sum fall, nor the series grow with the number of workers that ever were",
    [
      FastCheck.array(
        FastCheck.record({
          count: FastCheck.nat(1000),
          dies: FastCheck.boolean(),
          folds: FastCheck.boolean(),
          reused: FastCheck.boolean()
        }),
        { minLength: 1, maxLength: 40 }
      )
    ],
    ([lives]) => {
      let directory: ReadonlyArray<FleetEntry.FleetEntry> = []
      let last = 0
      lives.forEach(({ count, dies, folds, reused }, index) => {
        // A process id may come back.
        const pid = String(reused ? 1 : index)
        const snapshot = Snapshot.make(index, [
          {
            name: "bytes_total",
            type: "counter",
            help: "",
            series: [{ labels: Labels.of({ pid }), value: count }]
          },
          { name: "memory_bytes", type: "gauge", help: "", series: [{ labels: Labels.of({ pid }), value: 1 }] }
        ])
        directory = [...directory, entry(`${pid}.${index}`, 0, { snapshot })]
        if (dies) directory = directory.map((item) => ({ ...item, standing: "Gone" }))
        if (folds) {
          const dead = directory.filter(({ status: standing }) => standing === "Gone")
          directory = [
            ...directory.filter((item) => !dead.includes(item)),
            FleetEntry.mergeDead(`f${index}`, dead, directory)
          ]
        }
        const { metrics } = FleetEntry.mergeEntries(directory).snapshot
        const series = metrics.get("bytes_total")?.series ?? []
        const sum = series.reduce((total, item) => total + ("value" in item ? item.value : 0), 0)
        expect(sum).toBe(last + count)
        last = sum
        const living = new Set(
          directory.flatMap(({ snapshot, status: standing }) =>
            standing === "Gone"
              ? []
              : (snapshot.metrics.get("memory_bytes")?.series ?? []).map((one) => one.labels.text)
          )
        )
        expect(series.length).toBeLessThanOrEqual(living.size + 1)
        expect(metrics.get("memory_bytes")?.series.length ?? 0).toBe(living.size)
      })
    }
  )

  it.prop(
    "gives the same sum however often, in whatever order and with whatever crashes it is made",
    [FastCheck.array(peaceable, { minLength: 1, maxLength: 6 }), FastCheck.array(FastCheck.nat(), { maxLength: 6 })],
    ([snapshots, choices]) => {
      let directory: ReadonlyArray<FleetEntry.FleetEntry> = snapshots.map((snapshot, index) =>
        entry(`w${index}`, 0, { snapshot, status: "Gone" })
      )
      const truth = FleetEntry.mergeEntries(directory).snapshot
      choices.forEach((choice, round) => {
        const live = FleetEntry.distinct(directory)
        const dead = live.filter((_, index) => (choice >> index) % 2 === 0)
        const fold = FleetEntry.mergeDead(`f${round}`, dead, directory)
        // A crash may leave any of the folded files behind.
        const gone = new Set(dead.filter((_, index) => (choice >> (index + 8)) % 2 === 0))
        directory = [...directory.filter((item) => !gone.has(item)), fold]
        expect(FleetEntry.mergeEntries(directory).snapshot.metrics).toEqual(truth.metrics)
      })
    }
  )
})
