// The pages of the site: which file of the repository each is, and where it stands in the navigation.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = fileURLToPath(new URL("..", import.meta.url)).replace(/\/$/, "")

export const repository = "https://github.com/effect-framework/effect-framework"

export const read = (path: string): string => readFileSync(join(root, path), "utf8")

interface Group {
  readonly title: string
  readonly pages: ReadonlyArray<string>
}

/** The guides in the order in which they are read. */
const guides: ReadonlyArray<Group> = [
  {
    title: "Start",
    pages: ["docs/getting-started.md", "docs/deployment.md", "docs/testing.md", "docs/troubleshooting.md"]
  },
  {
    title: "People",
    pages: [
      "docs/auth.md",
      "docs/accounts.md",
      "docs/providers.md",
      "docs/own-database.md",
      "docs/texts.md",
      "docs/security.md"
    ]
  },
  {
    title: "Requests",
    pages: ["docs/api-guide.md", "docs/errors.md", "docs/pagination.md", "docs/uploads.md"]
  },
  { title: "Work", pages: ["docs/jobs.md", "docs/mail.md"] },
  { title: "Operation", pages: ["docs/observability.md", "docs/tracing.md", "docs/performance.md"] },
  {
    title: "One part alone",
    pages: ["docs/errors-alone.md", "docs/pagination-alone.md", "docs/metrics-alone.md", "docs/mounting.md"]
  },
  {
    title: "The project",
    pages: [
      "examples/shop/README.md",
      "docs/compared.md",
      "docs/specification.md",
      "docs/decisions.md",
      "docs/contributing.md",
      "CHANGELOG.md"
    ]
  }
]

/** The guides that no group names yet. */
const others: Group = {
  title: "More",
  pages: readdirSync(join(root, "docs"))
    .sort()
    .map((name) => `docs/${name}`)
    .filter((path) => path.endsWith(".md") && !guides.some(({ pages }) => pages.includes(path)))
}

const index = "docs/recipes/README.md"

/** The recipes in the order of their index, which groups them by task. */
const recipes: Group = {
  title: "Recipes",
  pages: [index, ...Array.from(read(index).matchAll(/\]\(([\w-]+\.md)\)/g), ([, name = ""]) => `docs/recipes/${name}`)]
}

const tutorial: Group = {
  title: "Tutorial",
  pages: readdirSync(join(root, "docs", "tutorial"))
    .sort()
    .map((name) => `docs/tutorial/${name}`)
}

const groups: ReadonlyArray<Group> = [
  ...guides.slice(0, 1),
  tutorial,
  ...guides.slice(1, 5),
  recipes,
  ...guides.slice(5),
  others
].filter(({ pages }) => pages.length > 0)

const reference: ReadonlyArray<string> = readdirSync(join(root, "docs", "api"))
  .filter((name) => name.endsWith(".md") && name !== "README.md")
  .sort()
  .map((name) => `docs/api/${name}`)

/** Every file that is a page, by its path in the repository. */
export const pages: ReadonlyArray<string> = [
  "site/index.md",
  ...groups.flatMap((group) => group.pages),
  "docs/api/README.md",
  ...reference
]

/** The file of a page in the site: `docs/auth.md` is `auth.md`. */
export const addressOf = (path: string): string => {
  if (path === "site/index.md" || path === "README.md") return "index.md"
  if (path === "CHANGELOG.md") return "changelog.md"
  if (path === "examples/shop/README.md") return "shop.md"
  return path.replace(/^docs\//, "").replace(/README\.md$/, "index.md")
}

export const titleOf = (path: string): string => /^# (.*)$/m.exec(read(path))?.[1] ?? path

/** The first sentence of a page, without its markup. */
export const summaryOf = (path: string): string => {
  const paragraph = read(path)
    .split(/\n{2,}/)
    .find((part) => /^[A-Z`[]/.test(part) && !part.startsWith("[The whole reference]"))
  const plain = (paragraph ?? "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .replace(/\s+/g, " ")
  return /^.+?[.?!:](?=\s|$)/.exec(plain)?.[0] ?? plain
}

const linkOf = (path: string): string => `/${addressOf(path).replace(/(^|\/)index\.md$/, "$1")}`

const entry = (path: string) => ({ text: titleOf(path), link: linkOf(path) })

/** The groups of the sidebar: the guides, and the reference beside its own pages. */
export const sidebar = {
  "/": [
    ...groups.map(({ pages, title }) => ({ text: title, items: pages.map(entry) })),
    { text: "Reference", items: [entry("docs/api/README.md")] }
  ],
  "/api/": [{ text: "Reference", items: [entry("docs/api/README.md"), ...reference.map(entry)] }]
}

/** The versions of the changelog, newest first, each with its heading. */
export const versions = Array.from(read("CHANGELOG.md").matchAll(/^## (\S+)/gm), ([, version = ""]) => ({
  text: version,
  link: `/changelog#${slug(version)}`
}))

/** The anchor of a heading, as code-hosting sites write it; the pages are read there, too. */
export function slug(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M} _-]/gu, "")
    .replaceAll(" ", "-")
}
