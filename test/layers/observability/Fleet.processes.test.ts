import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { constants, setPriority } from "node:os"
import { join } from "node:path"
import * as FileFleet from "../../../layers/observability/FileFleet.ts"
import { Fleet } from "../../../src/observability/Fleet.ts"
import type { Snapshot } from "../../../src/observability/Snapshot.ts"
import * as Demo from "../../support/Demo.ts"
import * as Writers from "./Writers.ts"

const read = ({ metrics }: Snapshot) => {
  const [writes] = metrics.get("writes_total")?.series ?? []
  const [sizes] = metrics.get("write_size")?.series ?? []
  const [writers] = metrics.get("writers")?.series ?? []
  return {
    writes: writes !== undefined && "value" in writes ? writes.value : 0,
    sizes: sizes !== undefined && "count" in sizes ? sizes.count : 0,
    writers: writers !== undefined && "value" in writers ? writers.value : 0
  }
}

const reader = (directory: string) =>
  Effect.map(Layer.build(FileFleet.layerObserver({ directory })), (context) =>
    Effect.map(Context.get(context, Fleet).gather, ({ snapshot }) => read(snapshot))
  )

const written = (directory: string): number =>
  readdirSync(directory)
    .filter((name) => name.endsWith(".json"))
    .map((name) => JSON.parse(readFileSync(join(directory, name), "utf8")))
    .reduce((sum, { metrics }) => sum + (metrics.writes_total?.series[0]?.value ?? 0), 0)

layer(Writers.layer, { excludeTestServices: true })("a fleet of processes", (it) => {
  it.scoped(
    "is read a thousand times while eight writers dump without a pause, and never falls",
    () =>
      Effect.gen(function* () {
        const directory = yield* Demo.folder
        const writers = yield* Effect.all(
          Array.from({ length: 8 }, () => Writers.start(directory)),
          {
            concurrency: "unbounded"
          }
        )
        for (const writer of writers) yield* writer.request({ _tag: "Storm" })
        // The reader is one against eight: with the same priority it would wait most of the time.
        for (const { pid } of writers) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
        const view = yield* reader(directory)
        let last = 0
        for (let round = 0; round < 1_000; round++) {
          const seen = yield* view
          expect(seen.writes).toBeGreaterThanOrEqual(last)
          expect(seen.writes).toBe(seen.sizes)
          expect(seen.writers).toBe(8)
          last = seen.writes
        }
        expect(last).toBeGreaterThan(100)
        yield* Effect.all(
          writers.map(({ kill }) => kill),
          { concurrency: "unbounded" }
        )
        const truth = written(directory)
        expect(truth).toBeGreaterThanOrEqual(last)
        expect(yield* view).toEqual({ writes: truth, sizes: truth, writers: 0 })
      }),
    240_000
  )

  it.scoped(
    "keeps each dead worker once, though all that are left find it at the same moment",
    () =>
      Effect.gen(function* () {
        const directory = yield* Demo.folder
        const start = (kind: "worker" | "observer") => Writers.start(directory, kind)
        const finders = yield* Effect.all([start("worker"), start("observer"), start("observer"), start("worker")], {
          concurrency: "unbounded"
        })
        let truth = 0
        for (let round = 1; round <= 12; round++) {
          const victim = yield* start("worker")
          yield* victim.request({ _tag: "Add", by: round })
          yield* victim.kill
          truth += round
          const totals = yield* Effect.all(
            finders.map((finder) => finder.request({ _tag: "Gather" })),
            { concurrency: "unbounded" }
          )
          expect(totals).toEqual([truth, truth, truth, truth])
        }
        // Those who found them die too, in the middle of looking; the next to come finds the same sum.
        for (const finder of finders) {
          yield* Effect.all([Effect.race(finder.request({ _tag: "Gather" }), finder.ended), finder.kill], {
            concurrency: "unbounded"
          })
        }
        const view = yield* reader(directory)
        expect((yield* view).writes).toBe(truth)
        expect((yield* view).writes).toBe(truth)
      }),
    240_000
  )

  it.scoped(
    "keeps one series of all that died, though twenty were killed, and its sum never falls",
    () =>
      Effect.gen(function* () {
        const directory = yield* Demo.folder
        const survivor = yield* Writers.start(directory)
        yield* survivor.request({ _tag: "Add", by: 1000 })
        const context = yield* Layer.build(FileFleet.layerObserver({ directory }))
        const { gather } = Context.get(context, Fleet)
        const series = (name: string) =>
          Effect.map(gather, ({ snapshot }) =>
            (snapshot.metrics.get(name)?.series ?? []).map((item) => [
              item.labels.text,
              "value" in item ? item.value : undefined
            ])
          )
        const own = `pid="${survivor.pid}"`
        let dead = 0
        for (let round = 1; round <= 20; round++) {
          const victim = yield* Writers.start(directory)
          yield* victim.request({ _tag: "Add", by: round })
          // A worker that reports nothing for a minute loses its gauges, and twenty rounds may take longer.
          yield* survivor.request({ _tag: "Add", by: 0 })
          expect(Object.fromEntries(yield* series("writer_bytes_total"))).toEqual({
            [own]: 1000,
            [`pid="${victim.pid}"`]: round,
            ...(dead === 0 ? {} : { 'pid="retired"': dead })
          })
          yield* victim.kill
          dead += round
          expect(yield* series("writer_bytes_total")).toEqual([
            [own, 1000],
            ['pid="retired"', dead]
          ])
          expect(yield* series("writer_memory_bytes")).toEqual([[own, 0]])
        }
        // The files are bounded too: the living one, and the retired ones before they are folded.
        expect(readdirSync(directory).length).toBeLessThanOrEqual(1 + 9)
      }),
    240_000
  )

  it.scoped("hands over what it counted when it ends in peace", () =>
    Effect.gen(function* () {
      const directory = yield* Demo.folder
      const writer = yield* Writers.start(directory)
      yield* writer.request({ _tag: "Add", by: 5 })
      yield* writer.request({ _tag: "End" })
      yield* writer.ended
      expect(readdirSync(directory)).toEqual([expect.stringMatching(/^retired-/)])
      expect(yield* yield* reader(directory)).toEqual({ writes: 5, sizes: 1, writers: 0 })
    })
  )
})
