// The directory in which workers leave their snapshots, and in which what the dead counted is kept.
import { randomBytes } from "node:crypto"
import { linkSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as Fleet from "../../src/observability/Fleet.ts"
import * as Json from "../../src/observability/Json.ts"
import type { Snapshot } from "../../src/observability/Snapshot.ts"
import * as ProcessIds from "./ProcessIds.ts"
import * as SnapshotFile from "./SnapshotFile.ts"

/** Retired files that may lie around before they are folded into one. */
const crowd = 8

/** How often a directory that changes under our eyes is read again. */
const patience = 20

export interface Found extends Fleet.Entry {
  readonly name: string
}

// worker-<pid>.json                a worker's own, replaced at each dump
// retired-<origin>_<token>.json    a dead worker's last, or several folded; never changed
// claimed-<process>_<token>.json   a retired one that this process is folding just now
const ours = /^(?:worker|retired|claimed)-[\w.-]+\.json$/
const draft = /^\.(?:worker|retired)-.+\.(\d+)\.[0-9a-f]+\.tmp$/
const claimant = /^claimed-(.+)_[0-9a-f]+\.json$/

const token = (): string => randomBytes(8).toString("hex")

export const workerFile = (pid: number): string => `worker-${pid}.json`

/** `maxAge` in seconds, like every time here. */
export const make = (directory: string, maxAge: number) => {
  const path = (name: string) => join(directory, name)
  const me = ProcessIds.identify(process.pid) ?? `${process.pid}`

  const entries = (): ReadonlyArray<string> => {
    try {
      return readdirSync(directory)
    } catch {
      return []
    }
  }

  const list = (): ReadonlyArray<string> =>
    entries()
      .filter((name) => ours.test(name))
      .sort()

  // Damaged files by their names. A file is replaced and never changed, so one that stays the same is not read again.
  const damaged = new Map<string, string>()
  let faults: Array<string> = []

  const open = (name: string, alike: Snapshot | undefined): SnapshotFile.SnapshotFile | undefined => {
    if (damaged.has(name) && damaged.get(name) === markOf(path(name))) return undefined
    const content = SnapshotFile.open(path(name), alike)
    if (content._tag === "Damaged") {
      damaged.set(name, markOf(path(name)))
      faults.push(`${name} (${content.reason})`)
    } else damaged.delete(name)
    return content._tag === "Whole" ? content.file : undefined
  }

  const look = (name: string, now: number, alike: Snapshot | undefined): Found | undefined => {
    const file = open(name, alike)
    if (file === undefined) return undefined
    const { origin, snapshot } = file
    const age = now - snapshot.timestamp
    if (origin !== undefined) {
      const alive = name.startsWith("worker-") && runs(origin)
      return { name, origin, snapshot, status: Fleet.workerStatus(alive, age, maxAge) }
    }
    // Someone else's: believed while it is fresh, and never kept.
    const stranger = { id: name, started: snapshot.timestamp, members: [] }
    return age > maxAge ? undefined : { name, origin: stranger, snapshot, status: "Serving" }
  }

  /**
   * Everything that is there. A listing taken while files are renamed may miss one under both its names, so it counts
   * only when the directory looks the same afterwards.
   */
  const scan = (now: number, alike?: Snapshot, except?: string): ReadonlyArray<Found> => {
    for (let left = patience; ; left--) {
      const names = list()
      const found: Array<Found> = []
      for (const name of names) {
        const file = name === except ? undefined : look(name, now, alike)
        if (file !== undefined) found.push(file)
      }
      if (left === 0 || names.join() === list().join()) return found
    }
  }

  // True for exactly one of those who try. The target is always a fresh name, so nothing is ever replaced.
  const move = (from: string, to: string): boolean => {
    try {
      renameSync(path(from), path(to))
      return true
    } catch {
      return false
    }
  }

  /** Keeps the file of a dead worker under a name that its next namesake will not write to. */
  const retire = (name: string, { id }: Fleet.Origin): void => {
    const kept = `retired-${id}_${token()}.json`
    if (!move(name, kept) || SnapshotFile.read(path(kept))?.origin?.id === id) return
    // A new worker got the process id and wrote its first file since we looked: give it back, unless it wrote again.
    try {
      linkSync(path(kept), path(name))
    } catch {
      // It wrote again.
    }
    rmSync(path(kept), { force: true })
  }

  const isFoldable = ({ name, origin, status: standing }: Found): boolean => {
    if (standing !== "Gone" || runs(origin)) return false
    const holder = claimant.exec(name)?.[1]
    return name.startsWith("retired-") || (holder !== undefined && !ProcessIds.isAlive(holder))
  }

  /** Folds the retired among these into one file. A crash at any point leaves each contribution counted once. */
  const fold = (found: ReadonlyArray<Found>, now: number): void => {
    const candidates = found.filter(isFoldable)
    if (candidates.length <= crowd) return
    const mine = new Set<string>()
    for (const { name } of candidates) {
      const claim = `claimed-${me}_${token()}.json`
      if (move(name, claim)) mine.add(claim)
    }
    // Looked at again with the claims in hand: another process may have folded some of them before it died.
    const present = scan(now)
    const dead = Fleet.distinct(present).filter(({ name }) => mine.has(name))
    if (dead.length > 0) {
      const { origin, snapshot } = Fleet.retire(`fold-${token()}`, dead, present)
      try {
        SnapshotFile.write(path(`retired-${origin.id}_${token()}.json`), Json.encode(snapshot, { origin }))
      } catch (error) {
        // A full disk: the parts stay, and whoever comes next may try again.
        for (const name of mine) move(name, `retired-part_${token()}.json`)
        throw error
      }
    }
    for (const name of mine) rmSync(path(name), { force: true })
  }

  /** Removes the drafts of writers that died between writing and renaming. */
  const sweep = (): void => {
    for (const name of entries()) {
      const writer = draft.exec(name)?.[1]
      if (writer !== undefined && ProcessIds.identify(Number(writer)) === undefined) rmSync(path(name), { force: true })
    }
  }

  const write = (pid: number, origin: Fleet.Origin, snapshot: Snapshot): void =>
    SnapshotFile.write(path(workerFile(pid)), Json.encode(snapshot, { origin }))

  /** The damaged files that were found since this was last asked. */
  const takeFaults = (): ReadonlyArray<string> => {
    const found = faults
    faults = []
    return found
  }

  return { scan, look, retire, fold, sweep, write, takeFaults, me }
}

export type FleetDirectory = ReturnType<typeof make>

const markOf = (path: string): string => {
  try {
    const { ino, mtimeMs, size } = lstatSync(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch {
    return ""
  }
}

// The id of a worker is the name of its process and a token: one process may, in its life, be several workers.
export const originId = (processName: string): string => `${processName}.${token()}`

const runs = ({ id }: Fleet.Origin): boolean => ProcessIds.isAlive(id.slice(0, id.lastIndexOf(".")))
