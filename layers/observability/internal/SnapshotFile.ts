// Snapshot files on disk: written atomically, and not trusted when they are read.
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
import { Origin } from "../../../src/observability/internal/snapshot/FleetEntry.ts"
import type { Snapshot } from "../../../src/observability/Snapshot.ts"
import * as SnapshotDecoder from "../../../src/observability/internal/snapshot/SnapshotDecoder.ts"

/** Bytes of a file. Far more than any snapshot has; a file from elsewhere must not fill the memory. */
const maxSize = 64 * 1024 * 1024

/** A snapshot and the worker that wrote it; `undefined` when the file does not name one. */
export interface SnapshotFile {
  readonly snapshot: Snapshot
  readonly origin: Origin | undefined
}

/** Writes synchronously: the thread pool may be busy with password hashes for seconds, and the file is small. */
export const write = (path: string, text: string): void => {
  const directory = dirname(path)
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  const draft = join(directory, `.${basename(path)}.${process.pid}.${randomBytes(6).toString("hex")}.tmp`)
  try {
    // `wx`: an existing symbolic link is not followed.
    writeFileSync(draft, text, { flag: "wx", mode: 0o600 })
    renameSync(draft, path)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

/** `Missing` when it cannot be read now, `Damaged` when it is no snapshot, too large, a link or not a file. */
type Content =
  | { readonly _tag: "Valid"; readonly file: SnapshotFile }
  | { readonly _tag: "Missing" }
  | { readonly _tag: "Damaged"; readonly reason: string }

/** Reads a file; `similar` makes decoding faster and does not change the result. */
export const open = (path: string, similar?: Snapshot): Content => {
  const text = readText(path)
  if (typeof text !== "string") return text
  const document = SnapshotDecoder.parse(text)
  const snapshot = Either.flatMap(document, (value) => SnapshotDecoder.decode(value, similar))
  if (Either.isLeft(snapshot)) return damaged(snapshot.left.reason)
  return { _tag: "Valid", file: { snapshot: snapshot.right, origin: originOf(Either.getOrUndefined(document)) } }
}

/** Reads a file; `undefined` when it is missing or damaged. */
export const read = (path: string, similar?: Snapshot): SnapshotFile | undefined => {
  const content = open(path, similar)
  return content._tag === "Valid" ? content.file : undefined
}

const damaged = (reason: string): Content => ({ _tag: "Damaged", reason })

const readText = (path: string): string | Content => {
  let descriptor: number | undefined
  try {
    // Without O_NONBLOCK opening a named pipe would block until there is a writer.
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const stat = fstatSync(descriptor)
    if (!stat.isFile()) return damaged("it is not a file")
    return stat.size <= maxSize ? readFileSync(descriptor, "utf8") : damaged("it is too large")
  } catch (error) {
    // Other errors, such as too many open files, are temporary and say nothing about the file.
    const isLink = error instanceof Error && "code" in error && error.code === "ELOOP"
    return isLink ? damaged("it is a link") : { _tag: "Missing" }
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

const decodeOrigin = Schema.decodeUnknownOption(Schema.Struct({ origin: Origin }))

const originOf = (document: unknown): Origin | undefined =>
  Option.getOrUndefined(Option.map(decodeOrigin(document), ({ origin }) => origin))
