// Source code from the disk: only the project's own files that this process has loaded.
import { Effect, Layer } from "effect"
import { readFileSync, realpathSync, statSync } from "node:fs"
import { isAbsolute, sep } from "node:path"
import { split } from "../../src/errors/internal/debug/SourceExcerpt.ts"
import { type Place, Sources } from "../../src/errors/Sources.ts"
import * as LoadedFiles from "./internal/LoadedFiles.ts"
import * as SourceMaps from "./internal/SourceMaps.ts"

/** Which files may be shown. */
export interface Options {
  /** Files outside this folder are not shown. Default: the working directory. */
  readonly root?: string
  /** Whether a place is looked up while everything waits for its source map, and not in the background. Default: `false`. */
  readonly wait?: boolean
}

interface Kept {
  readonly version: string
  readonly lines: ReadonlyArray<string> | undefined
}

const code = /\.[cm]?[jt]sx?$/
const dependency = /[\\/]node_modules[\\/]/
const largest = 4 * 1024 * 1024
const kept = 64

const make = (options: Options) => {
  const root = realpathSync(options.root ?? process.cwd())
  const base = root.endsWith(sep) ? root : root + sep
  const loaded = LoadedFiles.make()
  const cache = new Map<string, Kept>()

  // Checks the real path: a symbolic link below the root may point outside.
  const isInside = (file: string): boolean => {
    try {
      return realpathSync.native(file).startsWith(base)
    } catch {
      return false
    }
  }
  const maps = SourceMaps.make(isInside)

  // With Node's own source maps a stack already names originals, and their maps are not open yet.
  const search = (file: string) => {
    if (loaded.has(file)) return undefined
    for (const script of loaded.list()) if (script.startsWith(base)) maps.openNow(script)
    return maps.original(file)
  }

  const fromDisk = (file: string): ReadonlyArray<string> | undefined => {
    try {
      const { mtimeMs, size } = statSync(file)
      const version = `${mtimeMs}:${size}`
      const known = cache.get(file)
      if (known?.version === version) return known.lines
      const lines = size > largest ? undefined : split(readFileSync(file, "utf8"))
      const oldest = cache.size < kept ? undefined : cache.keys().next().value
      if (oldest !== undefined) cache.delete(oldest)
      cache.set(file, { version, lines })
      return lines
    } catch {
      return undefined
    }
  }

  const read = (file: string): ReadonlyArray<string> | undefined => {
    if (!isAbsolute(file) || !code.test(file) || !file.startsWith(base) || dependency.test(file)) return undefined
    const original = maps.original(file) ?? search(file)
    if (original === undefined ? !isInside(file) || !loaded.has(file) : !loaded.has(original.built)) return undefined
    // A built program may be shipped without its sources: the map contains them.
    if (isInside(file)) return fromDisk(file)
    const text = original?.text() ?? ""
    return text === "" ? undefined : split(text)
  }

  // A process that is about to end has no time for the background.
  const locateNow = (place: Place): Place => {
    maps.openNow(place.file)
    return maps.locate(place)
  }

  const opened = Effect.suspend(() => {
    const opening = maps.opening()
    return opening === undefined
      ? Effect.succeed(false)
      : Effect.as(
          Effect.promise(() => opening),
          true
        )
  })

  return Sources.of({ root, locate: options.wait === true ? locateNow : maps.locate, read, opened })
}

/** Sources below a folder. */
export const layerWith = (options: Options): Layer.Layer<Sources> => Layer.sync(Sources, () => make(options))

/** Sources below the working directory. */
export const layer: Layer.Layer<Sources> = layerWith({})
