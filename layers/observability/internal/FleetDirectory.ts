// The directory with the snapshot files of all workers, living and dead.
import { randomBytes } from "node:crypto"
import { linkSync, lstatSync, readdirSync, renameSync, rmSync } from "node:fs"
import { join } from "node:path"
import * as FleetEntry from "../../../src/observability/internal/snapshot/FleetEntry.ts"
import type { Snapshot } from "../../../src/observability/Snapshot.ts"
import * as SnapshotEncoder from "../../../src/observability/internal/snapshot/SnapshotEncoder.ts"
import * as ProcessIds from "../../http/internal/ProcessIds.ts"
import * as SnapshotFile from "./SnapshotFile.ts"

/** Retired files that are kept before they are merged into one. */
const maxRetired = 8

/** How often a directory is read again when it changes during the reading. */
const maxRescans = 20

/** An entry and the name of its file. */
interface DirectoryEntry extends FleetEntry.FleetEntry {
  readonly name: string
}

// worker-<pid>.json                a living worker, replaced at each dump
// retired-<origin>_<token>.json    a dead worker, or several merged; never changed
// claimed-<process>_<token>.json   a retired file that this process is merging
const snapshotName = /^(?:worker|retired|claimed)-[\w.-]+\.json$/
const draftName = /^\.(?:worker|retired)-.+\.(\d+)\.[0-9a-f]+\.tmp$/
const claimedName = /^claimed-(.+)_[0-9a-f]+\.json$/

const token = (): string => randomBytes(8).toString("hex")

/** The file name of a worker. */
export const workerFile = (pid: number): string => `worker-${pid}.json`

/** All times are in seconds. */
export const make = (directory: string, maxAge: number) => {
  const path = (name: string) => join(directory, name)
  const processId = ProcessIds.identify(process.pid) ?? `${process.pid}`

  const entries = (): ReadonlyArray<string> => {
    try {
      return readdirSync(directory)
    } catch {
      return []
    }
  }

  const list = (): ReadonlyArray<string> =>
    entries()
      .filter((name) => snapshotName.test(name))
      .sort()

  // Damaged files by name. Files are replaced and never changed, so one with the same version is not read again.
  const damaged = new Map<string, string>()
  let newlyDamaged: Array<string> = []

  const open = (name: string, similar: Snapshot | undefined): SnapshotFile.SnapshotFile | undefined => {
    if (damaged.has(name) && damaged.get(name) === versionOf(path(name))) return undefined
    const content = SnapshotFile.open(path(name), similar)
    if (content._tag === "Damaged") {
      damaged.set(name, versionOf(path(name)))
      newlyDamaged.push(`${name} (${content.reason})`)
    } else damaged.delete(name)
    return content._tag === "Valid" ? content.file : undefined
  }

  const read = (name: string, now: number, similar: Snapshot | undefined): DirectoryEntry | undefined => {
    const file = open(name, similar)
    if (file === undefined) return undefined
    const { origin, snapshot } = file
    const age = now - snapshot.timestamp
    if (origin !== undefined) {
      const alive = name.startsWith("worker-") && isRunning(origin)
      return { name, origin, snapshot, status: FleetEntry.workerStatus(alive, age, maxAge) }
    }
    // Written by another program: counted while it is recent, and never retired.
    const unknown = { id: name, started: snapshot.timestamp, members: [] }
    return age > maxAge ? undefined : { name, origin: unknown, snapshot, status: "Serving" }
  }

  /**
   * All entries of the directory. A listing taken while a file is renamed may miss it under both names, so it is used
   * only when the directory is unchanged afterwards.
   */
  const scan = (now: number, similar?: Snapshot, except?: string): ReadonlyArray<DirectoryEntry> => {
    for (let left = maxRescans; ; left--) {
      const names = list()
      const all: Array<DirectoryEntry> = []
      for (const name of names) {
        const entry = name === except ? undefined : read(name, now, similar)
        if (entry !== undefined) all.push(entry)
      }
      if (left === 0 || names.join() === list().join()) return all
    }
  }

  // True for exactly one of several processes. The target is always a new name, so no file is replaced.
  const move = (from: string, to: string): boolean => {
    try {
      renameSync(path(from), path(to))
      return true
    } catch {
      return false
    }
  }

  /** Keeps the file of a dead worker under a name that a later worker with the same process id does not write to. */
  const retire = (name: string, { id }: FleetEntry.Origin): void => {
    const kept = `retired-${id}_${token()}.json`
    if (!move(name, kept) || SnapshotFile.read(path(kept))?.origin?.id === id) return
    // A new worker with this process id has written its first file in between: restore it, unless it has written again.
    try {
      linkSync(path(kept), path(name))
    } catch {
      // It has written again.
    }
    rmSync(path(kept), { force: true })
  }

  const isMergeable = ({ name, origin, status }: DirectoryEntry): boolean => {
    if (status !== "Gone" || isRunning(origin)) return false
    const holder = claimedName.exec(name)?.[1]
    return name.startsWith("retired-") || (holder !== undefined && !ProcessIds.isAlive(holder))
  }

  /** Merges the retired files among these into one. After a crash at any point each contribution still counts once. */
  const mergeRetired = (all: ReadonlyArray<DirectoryEntry>, now: number): void => {
    const candidates = all.filter(isMergeable)
    if (candidates.length <= maxRetired) return
    const claims = new Set<string>()
    for (const { name } of candidates) {
      const claim = `claimed-${processId}_${token()}.json`
      if (move(name, claim)) claims.add(claim)
    }
    // Read again after claiming: another process may have merged some of them before it died.
    const present = scan(now)
    const dead = FleetEntry.distinct(present).filter(({ name }) => claims.has(name))
    if (dead.length > 0) {
      const { origin, snapshot } = FleetEntry.mergeDead(`fold-${token()}`, dead, present)
      try {
        SnapshotFile.write(path(`retired-${origin.id}_${token()}.json`), SnapshotEncoder.encode(snapshot, { origin }))
      } catch (error) {
        // The disk is full: the files are kept, and the next scrape tries again.
        for (const name of claims) move(name, `retired-part_${token()}.json`)
        throw error
      }
    }
    for (const name of claims) rmSync(path(name), { force: true })
  }

  /** Removes the temporary files of processes that died between writing and renaming. */
  const removeDrafts = (): void => {
    for (const name of entries()) {
      const writer = draftName.exec(name)?.[1]
      if (writer !== undefined && ProcessIds.identify(Number(writer)) === undefined) rmSync(path(name), { force: true })
    }
  }

  const write = (pid: number, origin: FleetEntry.Origin, snapshot: Snapshot): void =>
    SnapshotFile.write(path(workerFile(pid)), SnapshotEncoder.encode(snapshot, { origin }, { exemplars: true }))

  /** The damaged files that were found since the last call. */
  const takeDamaged = (): ReadonlyArray<string> => {
    const names = newlyDamaged
    newlyDamaged = []
    return names
  }

  return { scan, read, retire, mergeRetired, removeDrafts, write, takeDamaged, processId }
}

export type FleetDirectory = ReturnType<typeof make>

const versionOf = (path: string): string => {
  try {
    const { ino, mtimeMs, size } = lstatSync(path)
    return `${ino} ${size} ${mtimeMs}`
  } catch {
    return ""
  }
}

/** A new worker id: the process id and a token, because one process may run several workers in its lifetime. */
export const originId = (processId: string): string => `${processId}.${token()}`

const isRunning = ({ id }: FleetEntry.Origin): boolean => ProcessIds.isAlive(id.slice(0, id.lastIndexOf(".")))
