// The site is whole: every page, every link, every name, and nothing from another host.
import { beforeAll, describe, expect, it } from "@effect/vitest"
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { join, posix } from "node:path"
import { gzipSync } from "node:zlib"
import { exportsOf } from "../../site/Names.ts"
import { addressOf, pages, repository, slug, versions } from "../../site/Navigation.ts"
import { resolve } from "../../site/Markdown.ts"
import { page, read } from "../docs/Pages.ts"
import { root } from "../support/Demo.ts"
import { built, type HtmlPage, htmlPages, textOf } from "./Built.ts"

let folder = ""
let output = ""
let html: ReadonlyArray<HtmlPage> = []

beforeAll(async () => {
  ;({ folder, output } = await built())
  html = htmlPages(folder)
}, 600_000)

const limit = 300_000

const attributes = (name: string, text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(new RegExp(` ${name}="([^"]*)"`, "g")), ([, value = ""]) => textOf(value))

const isExternal = (target: string): boolean => /^[a-z]+:|^\/\//.test(target)

const fileOf = (from: string, target: string): string => {
  const path = target.startsWith("/") ? target.slice(1) : posix.join(posix.dirname(from), target)
  return path === "" || path.endsWith("/") ? `${path}index.html` : path
}

describe("the pages", () => {
  it("are all files of docs, the changelog and the shop", () => {
    const written = ["docs", "docs/api", "docs/recipes", "docs/tutorial"].flatMap((folder) =>
      readdirSync(join(root, folder)).flatMap((name) => (name.endsWith(".md") ? [`${folder}/${name}`] : []))
    )
    expect([...pages].sort()).toEqual(["CHANGELOG.md", "examples/shop/README.md", "site/index.md", ...written].sort())
  })

  it("are built without a warning", () => {
    expect(output).toContain("build complete")
    expect(output).not.toMatch(/warn|\(!\)|falling back|deprecat|dead link/i)
    const addresses = pages.map((path) => addressOf(path).replace(/\.md$/, ".html"))
    expect(html.map(({ address }) => address).sort()).toEqual([...addresses, "404.html"].sort())
  })

  it("weigh at most 300 kB, and so does all that a browser fetches to show one", () => {
    const heavy = html.filter(({ html }) => Buffer.byteLength(html) > limit).map(({ address }) => address)
    expect(heavy).toEqual([])
    const compressed = ({ html }: HtmlPage): number => {
      const assets = [...attributes("src", html), ...attributes("href", html)].filter((target) =>
        /^\/assets\/.*\.(?:js|css)$/.test(target)
      )
      const sizes = Array.from(new Set(assets), (target) => gzipSync(readFileSync(join(folder, target))).byteLength)
      return sizes.reduce((sum, size) => sum + size, gzipSync(html).byteLength)
    }
    expect(html.filter((one) => compressed(one) > limit).map(({ address }) => address)).toEqual([])
  })

  it("have no picture above 300 kB", () => {
    const pictures = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
      /\.(?:png|svg|jpe?g|webp)$/.test(name)
    )
    expect(pictures.length).toBeGreaterThan(3)
    expect(pictures.filter((name) => statSync(join(folder, name)).size > limit)).toEqual([])
  })

  it("have links that lead to a page and a place in it, or to a file of the repository", () => {
    const ids = new Map(html.map(({ address, html }) => [address, new Set(attributes("id", html))]))
    const dead = html.flatMap(({ address, html }) =>
      attributes("href", html).flatMap((target) => {
        if (target.startsWith(repository)) {
          const [, path] = /^\/(?:blob|tree|edit)\/main\/([^#]+)/.exec(target.slice(repository.length)) ?? []
          return path === undefined || existsSync(join(root, path)) ? [] : [`${address}: ${target}`]
        }
        if (isExternal(target)) return []
        const [file = "", anchor] = target.split("#", 2)
        const to = file === "" ? address : fileOf(address, file)
        const isThere = existsSync(join(folder, to))
        const isPlaced = anchor === undefined || ids.get(to)?.has(decodeURIComponent(anchor)) === true
        return isThere && isPlaced ? [] : [`${address}: ${target}`]
      })
    )
    expect(dead).toEqual([])
  })

  it("fetch nothing from another host", () => {
    const fetched = html.flatMap(({ html }) => [
      ...attributes("src", html),
      ...Array.from(html.matchAll(/<link [^>]*>/g), ([tag]) => attributes("href", tag)[0] ?? "")
    ])
    expect(fetched.filter((target) => isExternal(target) && !target.startsWith("data:"))).toEqual([])
    const styles = readdirSync(join(folder, "assets")).filter((name) => name.endsWith(".css"))
    expect(styles.length).toBeGreaterThan(0)
    const text = styles.map((name) => readFileSync(join(folder, "assets", name), "utf8")).join("\n")
    expect(text).not.toMatch(/url\(["']?(?:https?:)?\/\/|@import/)
  })

  it("can be changed by a link, except those that a command writes", () => {
    const link = (address: string) =>
      html
        .find((one) => one.address === address)
        ?.html.includes(`${repository}/edit/main/docs/${address.replace(/html$/, "md")}`)
    expect(["auth.html", "api/auth.html", "performance.html"].map(link)).toEqual([true, false, false])
  })

  it("have the blocks of their files, so that what the button copies is what was compiled", () => {
    const wrong = pages.flatMap((path) => {
      if (path.startsWith("docs/api/")) return []
      const address = addressOf(path).replace(/\.md$/, ".html")
      const text = html.find((one) => one.address === address)?.html ?? ""
      const shown = Array.from(text.matchAll(/<pre [^>]*><code[^>]*>([^]*?)<\/code><\/pre>/g), ([, code = ""]) =>
        textOf(code)
      )
      const { blocks } = page(path)
      const buttons = text.match(/<button title="Copy Code" class="copy">/g) ?? []
      return JSON.stringify(shown.map((code) => code.trimEnd())) ===
        JSON.stringify(blocks.map((one) => one.text.trimEnd())) && buttons.length === blocks.length
        ? []
        : [path]
    })
    expect(wrong).toEqual([])
    expect(page("site/index.md").blocks.map(({ text }) => text)).toEqual([read("docs/examples/readme.ts")])
  })
})

describe("the reference", () => {
  it("has a place for every public name, with its sentence", () => {
    const named = new Set(
      pages
        .filter((path) => path.startsWith("docs/api/") && !path.endsWith("README.md"))
        .flatMap((path) => {
          const address = addressOf(path).replace(/\.md$/, ".html")
          const text = html.find((one) => one.address === address)?.html ?? ""
          return exportsOf(read(path)).flatMap(({ anchor, module, name }) => {
            const [, item = ""] = text.split(`<li id="${anchor}">`)
            return textOf(item.slice(0, 400)).startsWith(name) && item.includes("<br>") ? [`${module}.${name}`] : []
          })
        })
    )
    const listed = Array.from(read("docs/api/surface.txt").matchAll(/ [›·] (\S+)$/gm), ([, name = ""]) => name)
    expect(listed.length).toBeGreaterThan(400)
    expect(listed.filter((name) => !named.has(name))).toEqual([])
  })

  it("leads from a name to code that uses it, from a type to its signatures, and from an error to what to do", () => {
    const reference = html.filter(({ address }) => address.startsWith("api/") && address !== "api/index.html")
    const items = reference.flatMap(({ html }) => html.split(/<li id="/).slice(1))
    const itemOf = (name: string) => items.find((item) => item.startsWith(`${name}"`)) ?? ""
    expect(itemOf("Access.requireUser")).toMatch(/Used in <a href="\/[\w/-]+\.html#[\w-]+"/)
    expect(itemOf("Users.Duplicate")).toMatch(/What to do: <a href="\/auth\.html#errors"/)
    expect(itemOf("Jobs.EnqueueOptions")).toMatch(
      /<small class="uses">Stands in <a href="\/api\/jobs\.html#Jobs\.enqueueAll"/
    )
    const names = Array.from(read("docs/api/surface.txt").matchAll(/ [›·] (\S+)$/gm), ([, name = ""]) => name)
    // Only code that a program of one's own can copy: the tests and sources of the framework import each other by their paths.
    expect(items.filter((item) => /Used in <a href="[^"]*\/blob\/main\/(?!template|examples)/.test(item))).toEqual([])
    expect(names.filter((name) => !/class="uses"|class="language-ts/.test(itemOf(name)))).toEqual([])
  })

  it("is linked from the guides, where a name comes first", () => {
    const auth = html.find(({ address }) => address === "auth.html")?.html ?? ""
    const links = auth.match(/href="\/api\/auth\.html#Users\.Users"/g) ?? []
    expect(links.length + (auth.match(/href="\/api\/auth\.html#users"/g) ?? []).length).toBeGreaterThan(0)
    const linking = html.filter(
      ({ address, html }) => !address.startsWith("api/") && /href="\/api\/\w+\.html#[\w.-]+"/.test(html)
    )
    expect(linking.length).toBeGreaterThan(15)
  })
})

describe("the versions", () => {
  it("are those of the changelog, the newest first", () => {
    expect(versions[0]).toEqual({ text: "Unreleased", link: "/changelog#unreleased" })
    expect(versions.at(-1)).toEqual({ text: "0.1.0", link: `/changelog#${slug("0.1.0")}` })
    expect(html.find(({ address }) => address === "auth.html")?.html).toContain("/changelog.html#unreleased")
  })
})

describe("what assistants read", () => {
  it("is a list of every page, and all of them in one text", () => {
    const [list, full] = ["llms.txt", "llms-full.txt"].map((name) => readFileSync(join(folder, name), "utf8"))
    for (const path of pages.filter((path) => path !== "site/index.md")) {
      expect(list).toContain(`](${addressOf(path).replace(/\.md$/, ".html")}): `)
      expect(full).toContain(`<!-- ${path} -->\n\n${read(path).trim()}\n`)
    }
    expect(readFileSync(join(folder, "AGENTS.md"), "utf8")).toBe(read("AGENTS.md"))
  })
})

describe("a link of a page", () => {
  it.each([
    ["docs/auth.md", "mail.md#the-queue", "/mail.md#the-queue"],
    ["docs/api/auth.md", "../../src/auth/Users.ts", `${repository}/blob/main/src/auth/Users.ts`],
    ["docs/getting-started.md", "../README.md", "/index.md"],
    ["CHANGELOG.md", "docs/jobs.md", "/jobs.md"],
    ["docs/auth.md", "#errors", "#errors"],
    ["docs/auth.md", "https://effect.website", "https://effect.website"],
    ["docs/auth.md", "tea.md", "tea.md"]
  ])("of %s to %s leads to %s", (from, target, to) => {
    expect(resolve(from, target)).toBe(to)
  })
})
