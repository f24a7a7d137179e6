// The files that a pattern names: `*` and `?` inside one part of a path.
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
 * Whether a name is one that this part of a pattern means. Only the last `*` is ever tried anew, so that no pattern takes
 * more than the product of both lengths. A leading dot must be written out, as in a shell: drafts of files begin with one.
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

/** In the order of their names. A directory that cannot be read holds nothing. */
export const expand = (pattern: string): ReadonlyArray<string> => {
  const { root } = parse(pattern)
  let found = [root]
  const parts = pattern.slice(root.length).split(sep === "/" ? "/" : /[\\/]/)
  for (const part of parts.filter((part) => part !== "")) {
    found = /[*?]/.test(part)
      ? found.flatMap((at) =>
          entries(at)
            .filter((name) => matches(part, name))
            .map((name) => join(at, name))
        )
      : found.map((at) => (at === "" ? part : join(at, part)))
  }
  return found.filter((path) => path !== "" && !path.endsWith(sep)).sort()
}
