// The index of a source map as the build has written it beside the built file: no start parses a map of megabytes, and
// nothing of it is in memory before something fails.
import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { dirname, relative, resolve } from "node:path"
import { deserialize, serialize } from "node:v8"
import * as SourceMapThread from "./SourceMapThread.ts"

/** What follows the name of the built file. */
export const extension = ".places"

interface Written extends SourceMapThread.SourceMapIndex {
  readonly digest: string
}

const digestOf = (file: string): string => createHash("sha256").update(readFileSync(file)).digest("hex")

/** Writes the indexes of built files that have a source map. Paths are relative: the folder may be moved. */
export const write = (files: ReadonlyArray<string>): Promise<void> =>
  SourceMapThread.open(files, (file, index) => {
    if (index === undefined) return
    const sources = index.sources.map((path) => relative(dirname(file), path))
    const written: Written = { ...index, sources, digest: digestOf(file) }
    writeFileSync(file + extension, serialize(written))
  })

/** The index of a built file; `undefined` where there is none, or one of an earlier build. A boundary: `write` has written it. */
export const read = (file: string): SourceMapThread.SourceMapIndex | undefined => {
  try {
    const { digest, ...index }: Written = deserialize(readFileSync(file + extension))
    if (digest !== digestOf(file)) return undefined
    return { ...index, sources: index.sources.map((path) => resolve(dirname(file), path)) }
  } catch {
    return undefined
  }
}
