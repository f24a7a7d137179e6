// Snapshot files on disk: written whole or not at all, read with suspicion.
import { Either, Option, Schema } from "effect"
import { randomBytes } from "node:crypto"
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { fromJson } from "../../src/observability/SnapshotDecoder.ts"
import { Origin } from "../../src/observability/Fleet.ts"
import * as Json from "../../src/observability/Json.ts"
import type { Snapshot } from "../../src/observability/Snapshot.ts"

/** No honest snapshot comes near it; a foreign file must not fill the memory. */
const largest = 64 * 1024 * 1024

export interface SnapshotFile {
  readonly snapshot: Snapshot
  readonly origin: Origin | undefined
}

/** The calls are synchronous: the thread pool may be busy with password hashes for seconds, a small file takes none. */
export const write = (path: string, text: string): void => {
  const directory = dirname(path)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const draft = join(directory, `.${basename(path)}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`)
  try {
    // `wx`: a link that someone put there beforehand is not followed.
    writeFileSync(draft, text, { flag: "wx", mode: 0o600 })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** What a file holds; `Gone` when it cannot be read now, `Damaged` when it is torn, foreign, too large, a link or not a file. */
export type Content =
  | { readonly _tag: "Whole"; readonly file: SnapshotFile }
  | { readonly _tag: "Gone" }
  | { readonly _tag: "Damaged"; readonly reason: string }

/** Reads a file with suspicion. */
export const open = (path: string, alike?: Snapshot): Content => {
  const text = readText(path)
  if (typeof text !== "string") return text
  const document = Json.parse(text)
  const snapshot = Either.flatMap(document, (value) => fromJson(value, alike))
  if (Either.isLeft(snapshot)) return damaged(snapshot.left.reason)
  return { _tag: "Whole", file: { snapshot: snapshot.right, origin: originOf(Either.getOrUndefined(document)) } }
}

/** Nothing when it is gone or damaged. */
export const read = (path: string, alike?: Snapshot): SnapshotFile | undefined => {
  const content = open(path, alike)
  return content._tag === "Whole" ? content.file : undefined
}
const damaged = (reason: string): Content => ({ _tag: "Damaged", reason })

const readText = (path: string): string | Content => {
  let descriptor: number | undefined
  try {
    // Without O_NONBLOCK the opening of a pipe would wait for a writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) return damaged("it is not a file")
    return stat.size <= largest ? readFileSync(descriptor, "utf8") : damaged("it is too large")
  } catch (error) {
    // Too many open files, say, will pass: only what is wrong with the file itself counts as damage.
    const isLink = error instanceof Error && "code" in error && error.code === "ELOOP"
    return isLink ? damaged("it is a link") : { _tag: "Gone" }
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

const decodeOrigin = Schema.decodeUnknownOption(Schema.Struct({ origin: Origin }))

const originOf = (document: unknown): Origin | undefined =>
  Option.getOrUndefined(Option.map(decodeOrigin(document), ({ origin }) => origin))
