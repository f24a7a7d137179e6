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

// A leading dot must be written out, as in a shell: drafts of files begin with one.
const matcher = (part: string): RegExp => {
  const source = part
    .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".")
  return new RegExp(`^${part.startsWith(".") ? "" : "(?!\\.)"}${source}$`, "s")
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
            .filter((name) => matcher(part).test(name))
            .map((name) => join(at, name))
        )
      : found.map((at) => (at === "" ? part : join(at, part)))
  }
  return found.filter((path) => path !== "" && !path.endsWith(sep)).sort()
}
