// A log file with rotation; several processes may append to the same one. It is written at once, as a terminal is: a write
// to the memory of the system takes some 50 µs, and a turn of a busy event loop a thousand times as long.
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

interface Options {
  readonly path: string
  /** Bytes after which the file is rotated. */
  readonly size: number
  /** How many rotated files are kept: `.1` is the newest. */
  readonly keep: number
}

// A process that dies during a rotation must not block the others forever.
const staleAfter = 10_000

/** Readable by the owner only: messages and stacks may hold private data. */
const mode = 0o600

const attempt = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const isFull = ({ path, size }: Options): boolean => (attempt(() => statSync(path).size) ?? 0) >= size

const take = (lock: string): boolean => {
  try {
    writeFileSync(lock, String(process.pid), { flag: "wx", mode })
    return true
  } catch {
    const since = attempt(() => statSync(lock).mtimeMs) ?? Infinity
    if (Date.now() - since > staleAfter) rmSync(lock, { force: true })
    return false
  }
}

const shift = ({ keep, path }: Options): void => {
  rmSync(`${path}.${keep}`, { force: true })
  for (let index = keep - 1; index >= 1; index--) attempt(() => renameSync(`${path}.${index}`, `${path}.${index + 1}`))
  if (keep === 0) rmSync(path, { force: true })
  else renameSync(path, `${path}.1`)
}

// Two processes that both see a full file must not both rotate it: the second would rotate an almost empty one.
const rotate = (options: Options): void => {
  const lock = `${options.path}.lock`
  if (!take(lock)) return
  try {
    if (isFull(options)) shift(options)
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Whether a file or a folder is not there. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT"

/** Appends whole lines. One write in append mode: lines of several processes do not mix. */
export const append = (options: Options, text: string): void => {
  try {
    appendFileSync(options.path, text, { mode })
  } catch (error) {
    // Any other failure may come after a part of the text, which would be there twice.
    if (!isMissing(error)) throw error
    mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 })
    appendFileSync(options.path, text, { mode })
  }
  if (isFull(options)) rotate(options)
}

/** Appends after a failure, which may have left a part of a line: that ends first. */
export const resume = (options: Options, text: string): void => {
  const written = attempt(() => readFileSync(options.path, "utf8")) ?? ""
  append(options, written === "" || written.endsWith("\n") ? text : `\n${text}`)
}
