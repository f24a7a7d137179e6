// `npm run bench -- profile`: the built server of each hot path under load, its CPU profile, and a flame graph of it.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { SourceMap, type SourceMapPayload } from "node:module"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import { pathToFileURL } from "node:url"
import * as Built from "../Built.ts"
import * as Load from "../Load.ts"
import { effort } from "../Options.ts"
import * as Postgres from "../Postgres.ts"
import { ticks } from "../server/Process.ts"
import type { CpuProfile } from "./CpuProfile.ts"
import * as FlameGraph from "./FlameGraph.ts"
import { frameOf, type Original } from "./Layers.ts"
import { type Loaded, type Path, paths } from "./Paths.ts"
import { tree } from "./Stacks.ts"
import * as Summary from "./Summary.ts"

/** Where the profiles and flame graphs are written; not kept in the repository. */
export const folder = "dist/profiles"

export const names: ReadonlyArray<string> = Object.keys(paths)

const recorder = join(import.meta.dirname, "Recorder.mjs")

const original = (program: string): Original => {
  const map = new SourceMap(JSON.parse(readFileSync(`${program}.map`, "utf8")) as SourceMapPayload)
  return (line, column) => {
    const entry = map.findEntry(line, column)
    return "originalSource" in entry ? { source: entry.originalSource, line: entry.originalLine } : undefined
  }
}

interface Recording {
  readonly profile: CpuProfile
  /** The share of the kernel in the time of the main thread. */
  readonly kernel: number
}

// The code is compiled before the recording begins, and the load lasts longer than it.
const recordLoad = async ({ server, target }: Loaded, file: string, seconds: number): Promise<Recording> => {
  await Load.rate(target, { ...effort, seconds: 3 })
  const load = Load.rate(target, { ...effort, seconds: seconds + 2 })
  await setTimeout(1000)
  process.kill(server.pid, "SIGUSR2")
  const before = ticks(server.pid)
  await setTimeout(seconds * 1000)
  const after = ticks(server.pid)
  process.kill(server.pid, "SIGUSR2")
  await load
  while (!existsSync(file)) await setTimeout(50)
  const [user, system] = [after.user - before.user, after.system - before.system]
  return { profile: JSON.parse(readFileSync(file, "utf8")) as CpuProfile, kernel: system / Math.max(1, user + system) }
}

const recordPath = async (name: string, { open, title }: Path, seconds: number): Promise<Summary.Summary> => {
  const storage = mkdtempSync(join(tmpdir(), "bench-profile-"))
  const file = resolve(folder, `${name}.cpuprofile`)
  rmSync(file, { force: true })
  const stops: Array<() => Promise<void>> = []
  const originals = new Map<string, Original>()
  try {
    const loaded = await open({
      storage,
      serve: async (entry, env = {}) => {
        const program = await Built.bundle(entry)
        originals.set(pathToFileURL(resolve(program)).href, original(program))
        const server = await Load.serve(["--import", recorder, program], { ...env, PROFILE: file })
        stops.push(server.stop)
        return server
      },
      postgres: async (name) => {
        const databases = await Postgres.start()
        stops.unshift(databases.stop)
        return databases.create(name)
      }
    })
    const { kernel, profile } = await recordLoad(loaded, file, seconds)
    const stacks = tree(profile, ({ callFrame }) => frameOf(callFrame, originals, process.cwd()))
    writeFileSync(join(folder, `${name}.svg`), FlameGraph.svg(title, stacks))
    return Summary.make(stacks, kernel)
  } finally {
    for (const stop of stops.toReversed()) await stop()
    rmSync(storage, { recursive: true, force: true })
  }
}

/** The summaries of these paths, one after the other. */
export const record = async (
  names: ReadonlyArray<string>,
  isQuick: boolean,
  say: (line: string) => void
): Promise<Readonly<Record<string, Summary.Summary>>> => {
  mkdirSync(folder, { recursive: true })
  const summaries: Record<string, Summary.Summary> = {}
  for (const name of names) {
    const path = paths[name]
    if (path === undefined) continue
    say(path.title)
    summaries[name] = await recordPath(name, path, isQuick ? 3 : 8)
  }
  return summaries
}
