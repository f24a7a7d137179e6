import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Layer, Logger, Scope, TestClock } from "effect"
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import * as FileFleet from "../../../layers/observability/FileFleet.ts"
import * as FleetDirectory from "../../../layers/observability/internal/FleetDirectory.ts"
import * as ProcessIds from "../../../layers/http/internal/ProcessIds.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import * as Counter from "../../../src/observability/Counter.ts"
import { Fleet } from "../../../src/observability/Fleet.ts"
import type { Origin } from "../../../src/observability/internal/snapshot/FleetEntry.ts"
import * as Gauge from "../../../src/observability/Gauge.ts"
import * as Json from "../../../src/observability/Json.ts"
import * as Labels from "../../../src/observability/Labels.ts"
import { Observability } from "../../../src/observability/Observability.ts"
import * as Snapshot from "../../../src/observability/Snapshot.ts"
import * as SnapshotEncoder from "../../../src/observability/internal/snapshot/SnapshotEncoder.ts"
import * as Demo from "../../support/Demo.ts"
import { eventually } from "../../support/Eventually.ts"

const snapshot = (timestamp: number, requests: number) =>
  Snapshot.make(timestamp, [
    { name: "requests_total", type: "counter", help: "", series: [{ labels: Labels.of({}), value: requests }] },
    { name: "in_flight", type: "gauge", help: "", series: [{ labels: Labels.of({}), value: 1 }] }
  ])

const value = ({ metrics }: Snapshot.Snapshot, name: string): number | undefined => {
  const [item] = metrics.get(name)?.series ?? []
  return item !== undefined && "value" in item ? item.value : undefined
}

const both = ({ snapshot }: { readonly snapshot: Snapshot.Snapshot }) => [
  value(snapshot, "requests_total"),
  value(snapshot, "in_flight")
]

/** A process that cannot be: no start of it is in the kernel's book. */
const dead = (pid: number, token = "x"): Origin => ({ id: `${pid}-00000000-1.${token}`, started: 1, members: [] })
const living = (token = "x"): Origin => ({
  id: `${ProcessIds.identify(process.pid)}.${token}`,
  started: 1,
  members: []
})

const put = (directory: string, name: string, content: Snapshot.Snapshot, origin?: Origin) => {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, name), SnapshotEncoder.encode(content, origin === undefined ? {} : { origin }))
}

const observed = (directory: string) =>
  Effect.provide(
    Effect.flatMap(Fleet, ({ gather }) => gather),
    FileFleet.layerObserver({ directory })
  )

const aggregate = (...args: Parameters<Fleet["Type"]["aggregate"]>) =>
  Effect.provide(
    Effect.flatMap(Fleet, (fleet) => fleet.aggregate(...args)),
    FileFleet.layerObserver({ directory: "unused" })
  )

/** Hears what is logged. */
const listening = (said: Array<string>) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ message }) => void said.push(String(Array.isArray(message) ? message[0] : message)))
  )

const worker = (directory: string) =>
  FileFleet.layer({ directory }).pipe(Layer.provideMerge(WorkerObservability.layerWith({ collectors: false })))

describe("aggregate", () => {
  it.scoped("merges every snapshot of a glob", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      put(join(folder, "a"), "worker-1.json", snapshot(1, 1))
      put(join(folder, "a"), "worker-22.json", snapshot(2, 2))
      put(join(folder, "b"), "worker-3.json", snapshot(3, 4))
      put(join(folder, "b"), ".worker-3.json", snapshot(3, 100))
      put(join(folder, "b"), "other.txt", snapshot(3, 100))
      const count = (pattern: string) =>
        Effect.map(aggregate(join(folder, pattern)), (all) => value(all, "requests_total"))
      expect(yield* count("a/worker-*.json")).toBe(3)
      expect(yield* count("a/worker-?.json")).toBe(1)
      expect(yield* count("*/worker-*.json")).toBe(7)
      expect(yield* count("b/worker-3.json")).toBe(4)
      expect(yield* count("b/*.json")).toBe(4)
      expect(yield* count("c/*.json")).toBeUndefined()
      expect(yield* count("a/[w]orker-1.json")).toBeUndefined()
    })
  )

  it.scoped("skips what is older than the limit, and nothing without one", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      put(folder, "old.json", snapshot(939, 1))
      put(folder, "new.json", snapshot(940, 2))
      put(folder, "ahead.json", snapshot(5000, 4))
      yield* TestClock.setTime(1_000_000)
      const count = (maxAge?: "60 seconds") =>
        Effect.map(aggregate(join(folder, "*.json"), maxAge), (all) => value(all, "requests_total"))
      expect(yield* count("60 seconds")).toBe(6)
      expect(yield* count()).toBe(7)
    })
  )

  it.scoped("is not harmed by files that are torn, foreign, links, pipes or directories", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      put(folder, "good.json", snapshot(1, 1))
      writeFileSync(join(folder, "torn.json"), Json.exporter.export(snapshot(1, 1)).slice(0, -20))
      writeFileSync(join(folder, "empty.json"), "")
      writeFileSync(join(folder, "foreign.json"), '{"timestamp":1,"metrics":{"requests_total":{"type":"counter"}}}')
      writeFileSync(join(folder, "binary.json"), Buffer.from([0xff, 0xfe, 0]))
      symlinkSync(join(folder, "good.json"), join(folder, "link.json"))
      mkdirSync(join(folder, "directory.json"))
      expect(both({ snapshot: yield* aggregate(join(folder, "*.json")) })).toEqual([1, 1])
    })
  )
})

describe("the fleet", () => {
  it.scoped("adds up the workers that serve and what the dead have counted", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      put(folder, "worker-1.json", snapshot(0, 1), living("a"))
      put(folder, "worker-2.json", snapshot(0, 2), dead(2))
      put(folder, "retired-z_1.json", snapshot(0, 4), dead(3))
      expect(both(yield* observed(folder))).toEqual([7, 1])
    })
  )

  it.scoped("retires a dead worker once, however often and from wherever it is read", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      put(folder, "worker-2.json", snapshot(0, 2), dead(2))
      const retire = Effect.provide(
        Effect.flatMap(Fleet, (fleet) => fleet.retire(2)),
        FileFleet.layerObserver({ directory: folder })
      )
      yield* retire
      yield* retire
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/^retired-2-00000000-1\.x_[0-9a-f]+\.json$/)])
      expect(both(yield* observed(folder))).toEqual([2, undefined])
      expect(both(yield* observed(folder))).toEqual([2, undefined])
    })
  )

  it.scoped("does not retire a worker that lives", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      put(folder, `worker-${process.pid}.json`, snapshot(0, 2), living())
      yield* Effect.provide(
        Effect.flatMap(Fleet, (fleet) => fleet.retire(process.pid)),
        FileFleet.layerObserver({ directory: folder })
      )
      expect(readdirSync(folder)).toEqual([`worker-${process.pid}.json`])
    })
  )

  it.scoped("keeps the counters of a worker that is silent for a minute, and not its gauges", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      put(folder, "worker-1.json", snapshot(900, 3), living())
      yield* TestClock.setTime(1_000_000)
      expect(both(yield* observed(folder))).toEqual([3, undefined])
      expect(readdirSync(folder)).toEqual(["worker-1.json"])
    })
  )

  it.scoped("counts a foreign snapshot while it is fresh, and never retires it", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      put(folder, "worker-1.json", snapshot(950, 3))
      yield* TestClock.setTime(1_000_000)
      expect(both(yield* observed(folder))).toEqual([3, 1])
      yield* TestClock.setTime(1_020_000)
      expect(both(yield* observed(folder))).toEqual([undefined, undefined])
      expect(readdirSync(folder)).toEqual(["worker-1.json"])
    })
  )

  it.scoped("is not harmed by torn, foreign and future-dated files", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      put(folder, "worker-1.json", snapshot(9_999_999_999, 3), living("a"))
      put(folder, "worker-2.json", snapshot(9_999_999_999, 4), dead(2))
      writeFileSync(join(folder, "worker-3.json"), "{")
      writeFileSync(join(folder, "retired-x.json"), "[]")
      writeFileSync(join(folder, "notes.txt"), "hello")
      expect(both(yield* observed(folder))).toEqual([7, 1])
    })
  )

  it.scoped("never lets a foreign file choose its path", () =>
    Effect.gen(function* () {
      const folder = join(yield* Demo.folder, "metrics")
      const ids = ["../evil", "../../evil", "/tmp/evil", "..", "a/b", "a\u0000b", "x".repeat(300)]
      ids.forEach((id, index) =>
        put(folder, `worker-${index + 1}.json`, snapshot(0, 1), { id, started: 1, members: [] })
      )
      // Without an origin it is someone else's: added while it is fresh, and never kept.
      expect(both(yield* observed(folder))).toEqual([ids.length, ids.length])
      expect(readdirSync(folder)).toHaveLength(ids.length)
      expect(readdirSync(join(folder, ".."))).toEqual(["metrics"])
    })
  )

  it.scoped("names each damaged file in one warning, and reads it again only when it changes", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      put(folder, "worker-1.json", snapshot(0, 1), living("a"))
      writeFileSync(join(folder, "worker-2.json"), "garbage")
      symlinkSync("/etc/passwd", join(folder, "worker-3.json"))
      writeFileSync(join(folder, "worker-4.json"), "")
      truncateSync(join(folder, "worker-4.json"), 65 * 1024 * 1024)
      mkdirSync(join(folder, "worker-5.json"))
      const said: Array<string> = []
      yield* Effect.gen(function* () {
        const { gather } = yield* Fleet
        for (let round = 0; round < 3; round++) expect(both(yield* gather)).toEqual([1, 1])
        expect(said).toEqual([
          "Left out of the metrics, because they are not snapshots: worker-2.json (it is not JSON), " +
            "worker-3.json (it is a link), worker-4.json (it is too large), worker-5.json (it is not a file)"
        ])
        writeFileSync(join(folder, "worker-2.json"), "other garbage")
        yield* gather
        expect(said.slice(1)).toEqual([
          "Left out of the metrics, because they are not snapshots: worker-2.json (it is not JSON)"
        ])
        put(folder, "worker-2.json", snapshot(0, 4), living("b"))
        expect(both(yield* gather)).toEqual([5, 2])
        expect(said).toHaveLength(2)
      }).pipe(Effect.provide(FileFleet.layerObserver({ directory: folder })), Effect.provide(listening(said)))
    })
  )

  it.scoped("is empty where there is no directory", () =>
    Effect.gen(function* () {
      expect((yield* observed(join(yield* Demo.folder, "none"))).snapshot.metrics.size).toBe(0)
    })
  )

  it.scoped("folds many retired files into one and loses nothing", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      for (let pid = 1; pid <= 30; pid++) put(folder, `worker-${pid}.json`, snapshot(0, pid), dead(pid))
      expect(both(yield* observed(folder))).toEqual([465, undefined])
      expect(both(yield* observed(folder))).toEqual([465, undefined])
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/^retired-fold-[0-9a-f]+_[0-9a-f]+\.json$/)])
      for (let pid = 1; pid <= 30; pid++) put(folder, `worker-${pid}.json`, snapshot(0, pid), dead(pid, "y"))
      expect(both(yield* observed(folder))).toEqual([930, undefined])
      expect(both(yield* observed(folder))).toEqual([930, undefined])
      expect(readdirSync(folder)).toHaveLength(1)
    })
  )

  it.scoped("counts once what a fold held when its process died before it removed the parts", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      const fold = { id: "fold-a", started: 1, members: [dead(1).id, dead(2).id] }
      put(folder, "retired-fold-a_1.json", snapshot(0, 3), fold)
      put(folder, "claimed-99-00000000-1_a.json", snapshot(0, 1), dead(1))
      put(folder, "claimed-99-00000000-1_b.json", snapshot(0, 2), dead(2))
      expect(both(yield* observed(folder))).toEqual([3, undefined])
      // The leftovers are cleared away with the next fold.
      for (let pid = 3; pid <= 12; pid++) put(folder, `worker-${pid}.json`, snapshot(0, 1), dead(pid))
      expect(both(yield* observed(folder))).toEqual([13, undefined])
      expect(both(yield* observed(folder))).toEqual([13, undefined])
      expect(readdirSync(folder)).toHaveLength(1)
    })
  )

  it.scoped("takes over the claims of a process that died before it wrote its fold, and no others", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      for (let part = 0; part < 9; part++) {
        put(folder, `claimed-99-00000000-1_${part}.json`, snapshot(0, 1), dead(100 + part))
      }
      const me = ProcessIds.identify(process.pid)
      put(folder, `claimed-${me}_f.json`, snapshot(0, 10), dead(200))
      expect(both(yield* observed(folder))).toEqual([19, undefined])
      expect(both(yield* observed(folder))).toEqual([19, undefined])
      expect(readdirSync(folder).map((name) => name.replace(/_.*/, ""))).toEqual([
        `claimed-${me}`,
        expect.stringMatching(/^retired-fold-/)
      ])
    })
  )

  it.scoped("never folds what speaks for a process that lives", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      put(folder, "retired-wrong_1.json", snapshot(0, 5), living())
      for (let pid = 1; pid <= 12; pid++) put(folder, `worker-${pid}.json`, snapshot(0, 1), dead(pid))
      expect(both(yield* observed(folder))).toEqual([17, undefined])
      expect(readdirSync(folder)).toContain("retired-wrong_1.json")
      // The living one reports again, further on: its own word replaces what was taken for its last.
      put(folder, `worker-${process.pid}.json`, snapshot(1, 6), living())
      expect(both(yield* observed(folder))).toEqual([18, 1])
    })
  )

  it.scoped("gives a file back that a namesake wrote in the last moment", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      const files = FleetDirectory.make(folder, 60)
      const name = `worker-${process.pid}.json`
      put(folder, name, snapshot(0, 8), living("new"))
      files.retire(name, dead(process.pid, "old"))
      expect(readdirSync(folder)).toEqual([name])
      expect(both(yield* observed(folder))).toEqual([8, 1])
    })
  )
})

describe("a worker of the fleet", () => {
  it.scoped("leaves its snapshot at once, every ten seconds and when it ends; private, with its origin", () =>
    Effect.gen(function* () {
      const folder = join(yield* Demo.folder, "metrics")
      const file = join(folder, `worker-${process.pid}.json`)
      const scope = yield* Scope.make()
      const context = yield* Layer.buildWithScope(worker(folder), scope)
      const counter = yield* Counter.make("requests_total")
      yield* Effect.provide(
        Effect.flatMap(Observability, ({ metrics }) => metrics.push(counter)),
        context
      )
      yield* TestClock.adjust(0)
      const read = () => JSON.parse(readFileSync(file, "utf8"))
      expect(read()).toMatchObject({ timestamp: 0, origin: { started: 0, members: [] } })
      expect(statSync(file).mode & 0o777).toBe(0o600)
      counter.increment(5)
      yield* TestClock.adjust("10 seconds")
      expect(read()).toMatchObject({ timestamp: 10, metrics: { requests_total: { series: [{ value: 5 }] } } })
      counter.increment(2)
      yield* Scope.close(scope, Exit.void)
      expect(readdirSync(folder)).toEqual([expect.stringMatching(/^retired-/)])
      expect(both(yield* observed(folder))).toEqual([7, undefined])
    })
  )

  it.scoped("continues when its file cannot be written, and warns once until it can", () =>
    Effect.gen(function* () {
      const folder = join(yield* Demo.folder, "metrics")
      const said: Array<string> = []
      // A file where the folder should be fails every write, for root too.
      const block = () => {
        rmSync(folder, { recursive: true, force: true })
        writeFileSync(folder, "")
      }
      block()
      yield* Effect.gen(function* () {
        const { metrics } = yield* Observability
        const { gather } = yield* Fleet
        const counter = yield* Counter.make("requests_total")
        yield* metrics.push(counter)
        counter.increment(3)
        yield* TestClock.adjust("5 minutes")
        expect(both(yield* gather)).toEqual([3, undefined])
        expect(said).toEqual(["The snapshot of this worker could not be written; the worker continues and tries again"])
        rmSync(folder)
        yield* TestClock.adjust("10 seconds")
        expect(readdirSync(folder)).toEqual([`worker-${process.pid}.json`])
        block()
        yield* TestClock.adjust("5 minutes")
        expect(said).toHaveLength(2)
        rmSync(folder)
      }).pipe(Effect.provide(worker(folder)), Effect.provide(listening(said)))
    })
  )

  it.scoped("has at each scrape what was measured by then", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      yield* Effect.gen(function* () {
        const { metrics } = yield* Observability
        const fleet = yield* Fleet
        const gauge = yield* Gauge.make("in_flight")
        yield* metrics.push(gauge)
        gauge.set(3)
        expect(both(yield* fleet.gather)).toEqual([undefined, 3])
        gauge.set(4)
        expect(both(yield* fleet.gather)).toEqual([undefined, 4])
        expect(both(yield* observed(folder))).toEqual([undefined, 4])
      }).pipe(Effect.provide(worker(folder)))
    })
  )

  it.scoped("keeps what a dead one of its process id has counted", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      put(folder, `worker-${process.pid}.json`, snapshot(0, 5), dead(process.pid))
      yield* Effect.gen(function* () {
        const { metrics } = yield* Observability
        const fleet = yield* Fleet
        const counter = yield* Counter.make("requests_total")
        yield* metrics.push(counter)
        counter.increment(2)
        expect(both(yield* fleet.gather)).toEqual([7, undefined])
        expect(both(yield* fleet.gather)).toEqual([7, undefined])
      }).pipe(Effect.provide(worker(folder)))
      expect(both(yield* observed(folder))).toEqual([7, undefined])
    })
  )

  it.scoped("clears away the drafts of the dead, and leaves those of the living", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      writeFileSync(join(folder, ".worker-4194304.json.4194304.0a.tmp"), "{")
      writeFileSync(join(folder, `.worker-1.json.${process.pid}.0a.tmp`), "{")
      yield* Effect.provide(Fleet, worker(folder))
      expect(readdirSync(folder).filter((name) => name.endsWith(".tmp"))).toEqual([
        `.worker-1.json.${process.pid}.0a.tmp`
      ])
    })
  )

  it.scopedLive("serves its own figures though its directory cannot be written", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      writeFileSync(join(folder, "metrics"), "in the way")
      yield* Effect.gen(function* () {
        const { metrics } = yield* Observability
        const fleet = yield* Fleet
        yield* metrics.push(yield* Gauge.observable("in_flight", () => 2))
        expect(both(yield* fleet.gather)).toEqual([undefined, 2])
        renameSync(join(folder, "metrics"), join(folder, "elsewhere"))
        yield* eventually(fleet.gather, () => readdirSync(join(folder, "metrics")).length === 1)
      }).pipe(Effect.provide(worker(join(folder, "metrics"))))
    })
  )
})
