// A log file with rotation; several processes may append to the same one.
import { appendFile, mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname } from "node:path"

export interface Options {
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

const sizeOf = (path: string): Promise<number> =>
  stat(path).then(
    ({ size }) => size,
    () => 0
  )

const take = async (lock: string): Promise<boolean> => {
  try {
    await writeFile(lock, String(process.pid), { flag: "wx", mode })
    return true
  } catch {
    const age = await stat(lock).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0
    )
    if (age > staleAfter) await rm(lock, { force: true })
    return false
  }
}

const shift = async ({ keep, path }: Options): Promise<void> => {
  await rm(`${path}.${keep}`, { force: true })
  for (let index = keep - 1; index >= 1; index--) {
    await rename(`${path}.${index}`, `${path}.${index + 1}`).catch(() => undefined)
  }
  await (keep === 0 ? rm(path, { force: true }) : rename(path, `${path}.1`))
}

// Two processes that both see a full file must not both rotate it: the second would rotate an almost empty one.
const rotate = async (options: Options): Promise<void> => {
  const lock = `${options.path}.lock`
  if (!(await take(lock))) return
  try {
    if ((await sizeOf(options.path)) >= options.size) await shift(options)
  } finally {
    await rm(lock, { force: true })
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

/** Appends whole lines. One write in append mode: lines of several processes do not mix. */
export const append = async (options: Options, text: string): Promise<void> => {
  try {
    await appendFile(options.path, text, { mode })
  } catch (error) {
    // Any other failure may come after a part of the text, which would be there twice.
    if (!isMissing(error)) throw error
    await mkdir(dirname(options.path), { recursive: true, mode: 0o700 })
    await appendFile(options.path, text, { mode })
  }
  if ((await sizeOf(options.path)) >= options.size) await rotate(options)
}

/** Appends after a failure, which may have left a part of a line: that ends first. */
export const resume = async (options: Options, text: string): Promise<void> => {
  const written = await readFile(options.path, "utf8").catch(() => "")
  await append(options, written === "" || written.endsWith("\n") ? text : `\n${text}`)
}
