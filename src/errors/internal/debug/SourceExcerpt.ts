// The lines around a place in a source file, and how its path is shown.
import { Effect } from "effect"
import { clip } from "../../../http/internal/text/SafeText.ts"
import type { Place, Sources } from "../../Sources.ts"
import type { Frame } from "../Stack.ts"
import type { Throwable } from "../../Throwable.ts"

/** Frames at their places in the original source. */
export const located = (sources: Pick<Sources["Type"], "locate">, frames: ReadonlyArray<Frame>): ReadonlyArray<Frame> =>
  frames.map((frame) => {
    if (frame.file === "") return frame
    const { call = frame.call, column, file, line } = sources.locate(frame)
    return { kind: frame.kind, call, file, line, column }
  })

/** Waits until the source maps of a throwable and its causes are open. */
export const opened = (sources: Sources["Type"], throwable: Throwable): Effect.Effect<void> =>
  Effect.suspend(() => {
    for (const { frames } of [throwable, ...throwable.chain]) located(sources, frames)
    return sources.opened === undefined ? Effect.void : Effect.asVoid(sources.opened)
  })

/** Lines shown on each side of the failing one. */
const margin = 8

/** A few lines around a place. */
export interface Excerpt {
  /** The number of the first line shown, counted from 1. */
  readonly first: number
  readonly lines: ReadonlyArray<string>
  /** Lines above the excerpt: the highlighter needs to know whether it begins inside a comment. */
  readonly before: ReadonlyArray<string>
  /** The failing column in the shown line, counted from 0; a long line is cut around it. */
  readonly column: number
}

// A bundle may be one line of a megabyte.
const longest = 240
const lookback = 200

/** The lines around a place; `undefined` when the file has no such line. */
export const excerpt = (file: ReadonlyArray<string>, { column, line }: Place): Excerpt | undefined => {
  if (line < 1 || line > file.length) return undefined
  const first = Math.max(1, line - margin)
  const start = Math.max(0, Math.min(column - 1 - longest / 2, (file[line - 1] ?? "").length - longest))
  const from = start > 0 ? Math.floor(start) : 0
  const lines = file
    .slice(first - 1, line + margin)
    .map((text, index) =>
      index + first === line && from > 0 ? `…${clip(text.slice(from + 1), longest)}` : clip(text, longest)
    )
  const before = file.slice(Math.max(0, first - 1 - lookback), first - 1).map((text) => text.slice(0, 1024))
  return { first, lines, before, column: Math.max(0, column - 1 - from) }
}

/** The lines of a text as JavaScript counts them; `undefined` for a binary file. */
export const split = (text: string): ReadonlyArray<string> | undefined =>
  text.slice(0, 8192).includes("\0") ? undefined : text.replace(/^\uFEFF/, "").split(/\r\n|[\n\r\u2028\u2029]/)

/** A path relative to the root, if it is below the root. */
export const relative = (root: string, file: string): string => {
  const base = root.endsWith("/") || root === "" ? root : `${root}/`
  return base !== "" && file.startsWith(base) ? file.slice(base.length) : file
}
