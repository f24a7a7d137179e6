// The files that match a pattern with `*` and `?`, each within one segment of the path.
import { readdirSync } from "node:fs"
import { join, parse, sep } from "node:path"

const entries = (directory: string): ReadonlyArray<string> => {
  try {
    return readdirSync(directory === "" ? "." : directory)
  } catch {
    return []
  }
}

/**
 * Whether a name matches one segment of a pattern. Only the last `*` is tried again, so that the time is at most the
 * product of both lengths. A leading dot must be explicit, as in a shell: temporary files begin with one.
 */
export const matches = (part: string, name: string): boolean => {
  if (name.startsWith(".") && !part.startsWith(".")) return false
  let star = -1
  let resume = 0
  let at = 0
  for (let index = 0; index < name.length;) {
    if (part[at] === "*") {
      star = at++
      resume = index
    } else if (part[at] === "?" || part[at] === name[index]) {
      at++
      index++
    } else if (star >= 0) {
      at = star + 1
      index = ++resume
    } else return false
  }
  while (part[at] === "*") at++
  return at === part.length
}

/** The matching paths, sorted. A directory that cannot be read has none. */
export const expand = (pattern: string): ReadonlyArray<string> => {
  const { root } = parse(pattern)
  let paths = [root]
  const parts = pattern.slice(root.length).split(sep === "/" ? "/" : /[\\/]/)
  for (const part of parts.filter((part) => part !== "")) {
    paths = /[*?]/.test(part)
      ? paths.flatMap((at) =>
          entries(at)
            .filter((name) => matches(part, name))
            .map((name) => join(at, name))
        )
      : paths.map((at) => (at === "" ? part : join(at, part)))
  }
  return paths.filter((path) => path !== "" && !path.endsWith(sep)).sort()
}
