// Links, anchors and paths of the documentation lead somewhere. Nothing is fetched.
import { describe, expect, it } from "@effect/vitest"
import { existsSync, readdirSync, statSync } from "node:fs"
import { basename, dirname, join, normalize } from "node:path"
import { root } from "../support/Demo.ts"
import { folder as tutorial } from "./Chapters.ts"
import { code, page, type Page } from "./Pages.ts"

const written = ["README.md", "AGENTS.md", "CHANGELOG.md", "examples/shop/README.md"].concat(
  readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
)
const pages = written.map(page)

const isThere = (path: string): boolean => existsSync(join(root, path))

/** The text without its blocks, in which a bracket is no link. */
const prose = ({ text }: Page): string => text.replace(/^ *```[^\n]*\n[^]*?^ *```$/gm, "")

// As GitHub does: small letters, spaces as hyphens, punctuation left out, a number behind what is there already.
const slug = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-")

const anchors = (document: Page): ReadonlySet<string> => {
  const seen = new Map<string, number>()
  const slugs = Array.from(prose(document).matchAll(/^#{1,6} +(.*?) *#*$/gm), ([, heading = ""]) => {
    const name = slug(heading)
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return count === 0 ? name : `${name}-${count}`
  })
  const named = Array.from(prose(document).matchAll(/<a (?:id|name)="([^"]+)"/g), ([, name = ""]) => name)
  return new Set([...slugs, ...named])
}

const anchorsOf = new Map(pages.map((document) => [document.path, anchors(document)]))

const targets = (document: Page): ReadonlyArray<string> => [
  ...Array.from(prose(document).matchAll(/\]\(([^()\s]+)(?: "[^"]*")?\)/g), ([, target = ""]) => target),
  ...Array.from(prose(document).matchAll(/\b(?:src|href)="([^"]+)"/g), ([, target = ""]) => target)
]

/** Why a link leads nowhere; nothing for one that does not, and for addresses of the network. */
const broken = (from: string, target: string): string | undefined => {
  if (/^[a-z]+:/.test(target)) return undefined
  const [file = "", anchor] = target.split("#", 2)
  const path = file === "" ? from : normalize(join(dirname(from), decodeURIComponent(file)))
  if (path.startsWith("..") || !isThere(path)) return `${from}: ${target}: there is no ${path}`
  if (anchor === undefined) return undefined
  return anchorsOf.get(path)?.has(anchor) === true ? undefined : `${from}: ${target}: ${path} has no such heading`
}

/** Whether a path of this repository exists; `*` stands for any part of a name. */
const exists = (path: string): boolean => {
  if (!path.includes("*")) return isThere(path)
  const folder = dirname(path)
  const pattern = new RegExp(`^${basename(path).replaceAll(".", "\\.").replaceAll("*", ".*")}$`)
  return (
    isThere(folder) &&
    statSync(join(root, folder)).isDirectory() &&
    readdirSync(join(root, folder)).some((name) => pattern.test(name))
  )
}

// `dist` and `storage` are made by commands; a path with a gap is a pattern for the reader.
const isPath = (text: string): boolean =>
  /^(?:src|layers|routes|demo|testing|app|template|examples|test|docs|bench|site|\.ci|\.github)\/[\w./*-]*$/.test(text)

describe("the documentation", () => {
  it("has links, anchors and paths", () => {
    expect(pages.flatMap(targets).length).toBeGreaterThan(20)
    expect(pages.flatMap(targets).some((target) => target.includes(".md#"))).toBe(true)
  })

  it("has no link that leads nowhere", () => {
    expect(
      pages.flatMap((document) => targets(document).flatMap((target) => broken(document.path, target) ?? []))
    ).toEqual([])
  })

  it("names no file that is not there", () => {
    // `Tutorial.test.ts` writes the files that the tutorial names.
    const others = pages.filter(({ path }) => !path.startsWith(`${tutorial}/`))
    const named = others.flatMap((document) =>
      code(prose(document))
        .filter(isPath)
        // An example is a project of its own: its page names its own files.
        .map((path) => (document.path.startsWith("examples/") ? join(dirname(document.path), path) : path))
        .map((path) => ({ from: document.path, path }))
    )
    expect(named.length).toBeGreaterThan(40)
    expect(named.filter(({ path }) => !exists(path))).toEqual([])
  })

  it.each([
    ["a page that is missing", "tea.md"],
    ["a heading that is missing", "auth.md#tea"],
    ["a way out of the repository", "../../etc/passwd"]
  ])("would notice %s", (_, target) => {
    expect(broken("docs/mail.md", target)).toContain(target)
  })

  it("would notice a test that is missing", () => {
    expect([exists("test/routes/auth/Tea*.test.ts"), exists("test/routes/auth/Log*.test.ts")]).toEqual([false, true])
  })

  it("spells anchors as GitHub does", () => {
    expect(["A list of `one's` own", "V6.5 to V6.8 Second factors, out-of-band"].map(slug)).toEqual([
      "a-list-of-ones-own",
      "v65-to-v68-second-factors-out-of-band"
    ])
  })
})
