// Somebody who asks finds the page: the index of the built site, searched as the browser does.
import { beforeAll, describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { exportsOf } from "../../site/Names.ts"
import { addressOf, pages } from "../../site/Navigation.ts"
import { miniSearch } from "../../site/Search.ts"
import { code, read, rows } from "../docs/Pages.ts"
import { root } from "../support/Demo.ts"
import { built, textOf } from "./Built.ts"
import { questions } from "./Questions.ts"

const Index = Schema.Struct({ default: Schema.String })

interface Engine {
  readonly loadJSON: (
    json: string,
    options: object
  ) => { readonly search: (query: string) => ReadonlyArray<{ id: string }> }
}

let folder = ""
let search: (query: string) => ReadonlyArray<string> = () => []

beforeAll(async () => {
  ;({ folder } = await built())
  const chunks = join(folder, "assets", "chunks")
  const name = readdirSync(chunks).find((name) => name.startsWith("@localSearchIndexroot")) ?? ""
  const { default: json } = Schema.decodeUnknownSync(Index)(await import(pathToFileURL(join(chunks, name)).href))
  const path = join(root, "site", "node_modules", "minisearch", "dist", "es", "index.js")
  const { default: MiniSearch }: { readonly default: Engine } = await import(pathToFileURL(path).href)
  const index = MiniSearch.loadJSON(json, {
    fields: ["title", "titles", "text"],
    storeFields: ["title", "titles"],
    searchOptions: miniSearch.searchOptions,
    ...miniSearch.options
  })
  search = (query) =>
    index
      .search(query)
      .slice(0, 3)
      .map(({ id }) => id)
}, 600_000)

const htmlOf = (path: string): string => `/${addressOf(path).replace(/\.md$/, ".html")}`

const isTold = (name: string) => (id: string) =>
  textOf(readFileSync(join(folder, id.split("#")[0] ?? ""), "utf8")).includes(name)

describe("a question of a newcomer", () => {
  it("is one of thirty or more", () => {
    expect(questions.length).toBeGreaterThanOrEqual(30)
  })

  it.each(questions)("finds its page among the first three: %s", (question, ...wanted) => {
    const found = search(question)
    expect(
      found.filter((id) => wanted.some((page) => id.startsWith(`/${page}.html`))),
      found.join(" ")
    ).not.toEqual([])
  })
})

describe("a name", () => {
  const reference = pages.filter((path) => path.startsWith("docs/api/") && !path.endsWith("README.md"))

  it("of the public surface finds its place in the reference", () => {
    const lost = reference.flatMap((path) =>
      exportsOf(read(path))
        .filter(({ anchor, module, name }) => !search(`${module}.${name}`).includes(`${htmlOf(path)}#${anchor}`))
        .map(({ module, name }) => `${module}.${name}`)
    )
    expect(lost).toEqual([])
  })

  it("of a setting finds a page that tells of it", () => {
    const settings = rows(read("docs/deployment.md"))
      .flatMap(([cell = ""]) => code(cell))
      .filter((name) => /^[A-Z][A-Z0-9_]+$/.test(name))
    expect(settings.length).toBeGreaterThan(40)
    expect(settings.filter((name) => !search(name).some(isTold(name)))).toEqual([])
  })

  it("of a message of a start or of the compiler finds its entry", () => {
    const messages = Array.from(
      read("docs/troubleshooting.md").matchAll(/^### .*\n\n`([^`]+)`/gm),
      ([, message = ""]) => message
    )
    expect(messages.length).toBeGreaterThan(15)
    const lost = messages.filter((message) => !search(message).some((id) => id.startsWith("/troubleshooting.html#")))
    expect(lost).toEqual([])
  })

  it("of a typed error finds a page that tells of it", () => {
    const errors = reference.flatMap((path) =>
      Array.from(read(path).matchAll(/^- \*\*`(\w+)`\*\* error/gm), ([, name = ""]) => name)
    )
    expect(errors.length).toBeGreaterThan(40)
    expect(errors.filter((name) => !search(name).some(isTold(name)))).toEqual([])
  })
})
