// Maps a place in a built file to the original source, by the source map beside it.
import type { Place } from "../../../src/errors/Sources.ts"
import * as SourceMapFile from "./SourceMapFile.ts"
import * as SourceMapThread from "./SourceMapThread.ts"

const isBuilt = (file: string): boolean => /\.[cm]?js$/.test(file) && !/[\\/]node_modules[\\/]/.test(file)

// The last segment of the line that begins at the column or before it.
const segmentAt = ({ lines, segments }: SourceMapThread.SourceMapIndex, line: number, column: number): number => {
  const first = lines[line] ?? 0
  let low = first
  let high = lines[line + 1] ?? first
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((segments[middle * 4] ?? 0) <= column) low = middle + 1
    else high = middle
  }
  return low === first ? -1 : (low - 1) * 4
}

// Where two modules have the same name, a bundler numbers one of them: `of16`, `Order2.place`.
const originalName = (names: ReadonlySet<string>, call: string): string =>
  call
    .split(".")
    .map((part) => {
      const [, bare = ""] = /^(?:(?:async|new) )*(.*\D)\d+$/.exec(part) ?? []
      return names.has(bare) && !names.has(part) ? part.replace(/\d+$/, "") : part
    })
    .join(".")

const originalOf = (index: SourceMapThread.SourceMapIndex, place: Place): Place => {
  const at = segmentAt(index, place.line - 1, place.column - 1)
  const [, source = 0, line = 0, column = 0] = at < 0 ? [] : index.segments.subarray(at, at + 4)
  const file = at < 0 ? undefined : index.sources[source]
  if (file === undefined) return place
  const name = place.call === undefined ? undefined : { call: originalName(index.names, place.call) }
  return { file, line: line + 1, column: column + 1, ...name }
}

/** The built file that contains a source, and the text of that source if the map has it. */
interface Original {
  readonly built: string
  readonly text: () => string
}

export interface SourceMaps {
  /** The place in the source, once the map of its file is open. It is opened in the background when it is not. */
  readonly locate: (place: Place) => Place
  /** Opens the map of a built file while everything waits. */
  readonly openNow: (file: string) => void
  /** The maps that are being opened; `undefined` when there are none. */
  readonly opening: () => Promise<void> | undefined
  /** The origin of a source according to the maps that are open. */
  readonly original: (file: string) => Original | undefined
}

// The same for the whole process: several layers ask for them.
const indexes = new Map<string, SourceMapThread.SourceMapIndex | "opening" | "none">()
let opening: Promise<void> | undefined

// What the build has written is there at once.
const indexOf = (file: string) => {
  const found = indexes.get(file) ?? SourceMapFile.read(file)
  if (found !== undefined) indexes.set(file, found)
  return found
}

let wanted: Array<string> = []

// One thread at a time, for all that were asked for meanwhile.
const openWanted = async (): Promise<void> => {
  while (wanted.length > 0) {
    const files = wanted
    wanted = []
    await SourceMapThread.open(files, (file, index) => {
      if (indexes.get(file) === "opening") indexes.set(file, index ?? "none")
    })
  }
  opening = undefined
}

const openSoon = (file: string): void => {
  indexes.set(file, "opening")
  wanted.push(file)
  opening ??= Promise.resolve().then(openWanted)
}

/** The maps of readable files; each is opened once and kept. */
export const make = (mayRead: (file: string) => boolean): SourceMaps => {
  const readable = new Map<string, boolean>()
  const canOpen = (file: string): boolean => {
    const known = readable.get(file)
    if (known !== undefined) return known
    const can = isBuilt(file) && mayRead(file)
    // An error can name any file.
    if (readable.size < 1000) readable.set(file, can)
    return can
  }
  return {
    openNow: (file) => {
      if (!canOpen(file) || (indexOf(file) ?? "opening") !== "opening") return
      indexes.set(file, SourceMapThread.openNow(file) ?? "none")
    },
    opening: () => opening,
    locate: (place) => {
      if (!isBuilt(place.file)) return place
      const index = canOpen(place.file) ? indexOf(place.file) : "none"
      if (index === undefined) openSoon(place.file)
      return typeof index === "object" ? originalOf(index, place) : place
    },
    original: (file) => {
      for (const [built, index] of indexes) {
        if (typeof index === "object" && index.sources.includes(file) && canOpen(built)) {
          return { built, text: () => SourceMapThread.text(built, file) }
        }
      }
      return undefined
    }
  }
}
