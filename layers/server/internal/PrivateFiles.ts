// Removes the permissions of other users from the program's files: accounts, valid links, addresses.
import { closeSync, constants, fchmodSync, fstatSync, openSync, readdirSync, type Stats } from "node:fs"
import { isAbsolute, join, relative, resolve, sep } from "node:path"

/** A path that other users can still access, and why it was not changed. */
export interface Exposed {
  readonly path: string
  readonly reason: string
}

/** Whether other users had access, and what they can still access. */
interface Tightened {
  readonly wasOpen: boolean
  readonly exposed: ReadonlyArray<Exposed>
}

const others = 0o077
const sticky = 0o1000

const untouched: Tightened = { wasOpen: false, exposed: [] }

/** Makes a folder private to its owner. A missing folder is not an error. */
export const folder = (path: string): Tightened =>
  tighten(path, 0o700, (stat) => {
    if (!stat.isDirectory()) return "it is not a folder"
    // A folder such as /tmp, or the one that the program runs in, has other uses.
    if ((stat.mode & sticky) !== 0) return "it is shared by all users"
    return contains(path, process.cwd()) ? "the program itself runs in it" : undefined
  })

/** Makes a file private to its owner. A link is not followed: it may lead to a file of another user. */
export const file = (path: string): Tightened =>
  tighten(path, 0o600, (stat) => (stat.isFile() ? undefined : "it is not a file"), constants.O_NOFOLLOW)

/** Makes every file of a folder private, without its subfolders. */
export const filesOf = (path: string): ReadonlyArray<Exposed> => {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .flatMap(({ name }) => file(join(path, name)).exposed)
  } catch {
    return []
  }
}

/** Whether a path is the folder or inside of it. */
export const contains = (folder: string, path: string): boolean => {
  const way = relative(resolve(folder), resolve(path))
  return way.split(sep)[0] !== ".." && !isAbsolute(way)
}

// One descriptor for the check and the change, so that the file cannot be replaced in between.
const tighten = (path: string, mode: number, fault: (stat: Stats) => string | undefined, flags = 0): Tightened => {
  const descriptor = open(path, flags)
  if (descriptor === undefined) return untouched
  try {
    const stat = fstatSync(descriptor)
    if ((stat.mode & others) === 0) return untouched
    const foreign = process.getuid !== undefined && stat.uid !== process.getuid()
    const reason = fault(stat) ?? (foreign ? "it belongs to another user" : undefined)
    if (reason !== undefined) return { wasOpen: true, exposed: [{ path, reason }] }
    fchmodSync(descriptor, mode)
    return { wasOpen: true, exposed: [] }
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : String(error)
    return { wasOpen: true, exposed: [{ path, reason }] }
  } finally {
    closeSync(descriptor)
  }
}

// Missing files, links and unreadable files are left as they are.
const open = (path: string, flags: number): number | undefined => {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags)
  } catch {
    return undefined
  }
}
