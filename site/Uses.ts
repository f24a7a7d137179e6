// Where each public name is used in code that a program of one's own can copy and the tests compile, and where each typed error
// is told of with its repair.
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { exportsOf } from "./Names.ts"
import { addressOf, pages, read, repository, root, slug, titleOf } from "./Navigation.ts"

export interface Use {
  readonly text: string
  readonly link: string
}

interface Place extends Use {
  readonly code: string
  /** The rows of its tables: name, when it comes, what to do. */
  readonly rows: string
}

const isReference = (path: string): boolean => path.startsWith("docs/api/") && path !== "docs/api/README.md"

const blocks = (text: string): string =>
  Array.from(text.matchAll(/^ *```ts(?: [^\n]*)?\n([^]*?)^ *```$/gm), ([, code = ""]) => code).join("\n")

const rows = (text: string): string =>
  Array.from(
    text.matchAll(/^\|((?:[^|\\]|\\.)+)\|(?:[^|\\]|\\.)+\|(?:[^|\\]|\\.)+\|$/gm),
    ([, cell = ""]) => cell
  ).join("\n")

/** The parts of a guide between its headings. */
const sections = (path: string): ReadonlyArray<Place> => {
  const seen = new Map<string, number>()
  // A comment in a block is no heading.
  const text = read(path).replace(/^```[^]*?^```$/gm, (block) => block.replace(/^#/gm, " #"))
  return text.split(/^(?=#{1,3} )/m).map((part) => {
    const anchor = slug((/^#+ (.*)/.exec(part)?.[1] ?? "").trim())
    const before = seen.get(anchor) ?? 0
    seen.set(anchor, before + 1)
    const link = `/${addressOf(path)}#${before === 0 ? anchor : `${anchor}-${before}`}`
    return { text: titleOf(path), link, code: blocks(part), rows: rows(part) }
  })
}

/** The examples of the reference, each at the name that it is for. */
const examples = (path: string): ReadonlyArray<Place> => {
  const items = read(path).split(/^(?=- \*\*)/m)
  const exports = exportsOf(read(path))
  return items.slice(1).map((item, at) => {
    const { anchor = "", module = "", name = "" } = exports[at] ?? {}
    return { text: `${module}.${name}`, link: `/${addressOf(path)}#${anchor}`, code: blocks(item), rows: "" }
  })
}

const files = (folder: string, extension: string): ReadonlyArray<Place> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(extension) && !name.includes("node_modules"))
    .sort()
    .map((name) => `${folder}/${name}`)
    .map((path) => ({ text: path, link: `${repository}/blob/main/${path}`, code: read(path), rows: "" }))

const index = (places: ReadonlyArray<Place>, names: (place: Place) => Iterable<string>) => {
  const found = new Map<string, ReadonlyArray<Use>>()
  for (const place of places) {
    for (const name of new Set(names(place))) {
      const before = found.get(name) ?? []
      // One section of a page is enough, and two pages are.
      if (before.length < 2 && before.every(({ text }) => text !== place.text)) found.set(name, [...before, place])
    }
  }
  return found
}

// => Tokens.lifetime
const used = ({ code }: Place) => Array.from(code.matchAll(/\b[A-Z]\w*\.\w+/g), ([name]) => name)

const guides = pages.filter((path) => path.startsWith("docs/") && !path.startsWith("docs/api/")).flatMap(sections)

const inGuides = index(guides, used)
const inReference = index(pages.filter(isReference).flatMap(examples), used)
const inPrograms = index([...files("examples/shop/src", ".ts"), ...files("template", ".ts")], used)

/** The tables of errors, by the name of the error. */
const advised = index(guides, ({ rows }) => Array.from(rows.matchAll(/`(?:\w+\.)?(\w+)`/g), ([, name = ""]) => name))

/** Where `Access.requireUser` is used: in guides, else in an example of the reference, in the shop or the template. */
export const usesOf = (module: string, name: string): ReadonlyArray<Use> => {
  const full = `${module}.${name}`
  const others = [inReference, inPrograms].find((places) => places.has(full))
  return inGuides.get(full) ?? others?.get(full)?.slice(0, 1) ?? []
}

/** Where an error has its cause and its repair. */
export const adviceOn = (error: string): ReadonlyArray<Use> => advised.get(error)?.slice(0, 1) ?? []
