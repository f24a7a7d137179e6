// Maps a place in a built file to the original source, by the source map beside it.
import { readFileSync, statSync } from "node:fs"
import { SourceMap, type SourceMapPayload } from "node:module"
import { dirname, resolve } from "node:path"
import type { Place } from "../../../src/errors/Sources.ts"
import * as Stack from "../../../src/errors/internal/Stack.ts"

interface Loaded {
  readonly map: SourceMap
  /** The sources that the map contains, by path. */
  readonly texts: ReadonlyMap<string, string>
}

// The bundle of a whole program is smaller; a larger file takes too long to read.
const largest = 64 * 1024 * 1024

const reference = /\/\/# sourceMappingURL=(\S+)\s*$/

/** The address of the source map that a built text names in its last line. */
export const urlOf = (text: string): string | undefined => reference.exec(text.slice(-4 * 1024 * 1024))?.[1]

const payloadOf = (file: string): SourceMapPayload | undefined => {
  if (statSync(file).size > largest) return undefined
  const url = urlOf(readFileSync(file, "utf8"))
  if (url === undefined) return undefined
  const inline = /^data:application\/json[^,]*;base64,(.*)$/.exec(url)?.[1]
  if (inline !== undefined) return JSON.parse(Buffer.from(inline, "base64").toString("utf8"))
  // Only a file in the same folder: no URL is fetched and no other folder is read.
  return /^[\w.-]+\.map$/.test(url) ? JSON.parse(readFileSync(resolve(dirname(file), url), "utf8")) : undefined
}

const open = (file: string): Loaded | undefined => {
  try {
    const payload = payloadOf(file)
    if (payload === undefined || !Array.isArray(payload.sources)) return undefined
    const base = resolve(dirname(file), payload.sourceRoot ?? "")
    const paths = payload.sources.map((source) => resolve(base, Stack.path(source)))
    const texts = new Map(paths.map((path, index) => [path, payload.sourcesContent?.[index] ?? ""]))
    return { map: new SourceMap({ ...payload, sources: paths }), texts }
  } catch {
    return undefined
  }
}

const isBuilt = (file: string): boolean => /\.[cm]?js$/.test(file) && !/[\\/]node_modules[\\/]/.test(file)

export interface SourceMaps {
  readonly locate: (place: Place) => Place
  /** Opens the map of a built file, if it has one. */
  readonly open: (file: string) => void
  /** The built file that contains this source according to an open map, and the source text if the map has it. */
  readonly original: (file: string) => { readonly built: string; readonly text: string } | undefined
}

/** The maps of readable files; each is opened on first use and kept. */
export const make = (mayRead: (file: string) => boolean): SourceMaps => {
  const maps = new Map<string, Loaded | undefined>()
  const loaded = (file: string): Loaded | undefined => {
    if (!maps.has(file)) maps.set(file, mayRead(file) ? open(file) : undefined)
    return maps.get(file)
  }
  return {
    open: (file) => void (isBuilt(file) && loaded(file)),
    locate: (place) => {
      if (!isBuilt(place.file)) return place
      const entry = loaded(place.file)?.map.findEntry(place.line - 1, place.column - 1)
      if (entry === undefined || !("originalSource" in entry) || entry.originalSource === undefined) return place
      return { file: entry.originalSource, line: entry.originalLine + 1, column: entry.originalColumn + 1 }
    },
    original: (file) => {
      for (const [built, entry] of maps) {
        const text = entry?.texts.get(file)
        if (text !== undefined) return { built, text }
      }
      return undefined
    }
  }
}
