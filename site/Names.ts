// Where the reference tells of a public name: the anchor of each export and of each module.
import { addressOf, pages, read, slug } from "./Navigation.ts"

interface Listed {
  readonly module: string
  readonly moduleAnchor: string
  readonly name: string
  readonly anchor: string
}

/** The exports of a page of the reference, in the order of the page, each with an anchor that no other has. */
export const exportsOf = (text: string): ReadonlyArray<Listed> => {
  const seen = new Map<string, number>()
  const unique = (anchor: string): string => {
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  }
  const found: Array<Listed> = []
  let [module, moduleAnchor] = ["", ""]
  for (const [, level, heading = "", name = ""] of text.matchAll(/^(?:(#+) (.*)|- \*\*`+ ?([\w$]+).*)$/gm)) {
    if (level !== undefined) {
      moduleAnchor = unique(slug(heading))
      module = heading
    } else {
      found.push({ module, moduleAnchor, name, anchor: unique(`${module}.${name}`) })
    }
  }
  return found
}

const isReference = (path: string): boolean => path.startsWith("docs/api/") && path !== "docs/api/README.md"

/** The link to a name of the reference: `Access.requireUser`, `Access`, and `CurrentIdentity` where only one module has it. */
export const links: ReadonlyMap<string, string> = (() => {
  const found = pages.filter(isReference).flatMap((path) =>
    exportsOf(read(path)).map(({ anchor, module, moduleAnchor, name }) => ({
      anchor,
      module,
      moduleAnchor,
      name,
      page: `/${addressOf(path)}`
    }))
  )
  const owners = new Map<string, number>()
  for (const { name } of found) owners.set(name, (owners.get(name) ?? 0) + 1)
  const single = found.filter(({ name }) => /^[A-Z]\w{4,}$/.test(name) && owners.get(name) === 1)
  // The first that is set stays: a module is told of where its contract is.
  return new Map(
    [
      ...single.map(({ anchor, name, page }) => [name, `${page}#${anchor}`] as const),
      ...found.map(({ module, moduleAnchor, page }) => [module, `${page}#${moduleAnchor}`] as const),
      ...found.map(({ anchor, module, name, page }) => [`${module}.${name}`, `${page}#${anchor}`] as const)
    ].toReversed()
  )
})()
