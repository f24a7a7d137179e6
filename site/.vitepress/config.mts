import { cpSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig } from "vitepress"
import * as Assistants from "../Assistants.ts"
import { colors } from "../Highlight.ts"
import { plugin } from "../Markdown.ts"
import { addressOf, pages, read, repository, root, sidebar, slug, summaryOf, versions } from "../Navigation.ts"
import { miniSearch, sections } from "../Search.ts"

const icon =
  "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'><rect width='32' height='32' rx='7' fill='#3451b2'/><path d='M10 8h13v4h-9v3h8v4h-8v6h-4z' fill='#fff'/></svg>"

export default defineConfig({
  title: "effect-framework",
  description: "A server-side web framework for Effect",
  lang: "en",
  // The pages are the files of the repository, where they are.
  srcDir: "..",
  srcExclude: ["!(docs|site|examples)/**/*", "!(CHANGELOG).md", "site/!(index).md"],
  rewrites: Object.fromEntries(pages.map((path) => [path, addressOf(path)])),
  head: [
    ["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(icon)}` }],
    // Without scripts nothing opens the menus of a small screen: they stand below the page.
    ["noscript", {}, `<style>${read("site/without-scripts.css")}</style>`]
  ],
  markdown: {
    anchor: { slugify: slug },
    languageAlias: { haproxy: "nginx" },
    codeTransformers: [colors],
    config: (markdown) => void markdown.use(plugin)
  },
  // The index of the search is one file, which is loaded when somebody searches.
  vite: { publicDir: false, build: { chunkSizeWarningLimit: 2000 } },
  transformPageData: (page) => {
    const isWritten = page.filePath.startsWith("docs/api/") || page.filePath === "docs/performance.md"
    return {
      description: page.description || summaryOf(page.filePath),
      frontmatter: isWritten ? { ...page.frontmatter, editLink: false } : page.frontmatter
    }
  },
  buildEnd: ({ outDir }) => {
    writeFileSync(join(outDir, "llms.txt"), Assistants.list())
    writeFileSync(join(outDir, "llms-full.txt"), Assistants.full())
    cpSync(join(root, "AGENTS.md"), join(outDir, "AGENTS.md"))
  },
  themeConfig: {
    nav: [
      { text: "Guides", link: "/getting-started" },
      { text: "Reference", link: "/api/" },
      { text: "Versions", items: versions }
    ],
    sidebar,
    outline: { level: [2, 3] },
    editLink: { pattern: `${repository}/edit/main/:path`, text: "Edit this page" },
    notFound: {
      title: "This page does not exist",
      quote: "It may have moved. Search for it, or begin at the start.",
      linkText: "To the start"
    },
    socialLinks: [{ icon: "github", link: repository }],
    search: {
      provider: "local",
      options: { detailedView: false, miniSearch: { ...miniSearch, _splitIntoSections: sections } }
    }
  }
})
