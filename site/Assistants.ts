// `llms.txt` and `llms-full.txt`: the documentation for assistants, as a list of pages and as one text.
import { addressOf, pages, read, summaryOf, titleOf } from "./Navigation.ts"

const told = pages.filter((path) => path !== "site/index.md")

const isReference = (path: string): boolean => path.startsWith("docs/api/")

const line = (path: string): string =>
  `- [${titleOf(path)}](${addressOf(path).replace(/\.md$/, ".html")}): ${summaryOf(path)}`

const head = `# effect-framework

> A server-side web framework for Effect: authentication, observability, error handling and pagination as layers.
`

/** What there is to read. */
export const list = (): string => {
  const [guides, reference] = [told.filter((path) => !isReference(path)), told.filter(isReference)]
  return `${head}
[AGENTS.md](AGENTS.md) is how to use the framework on one page; [llms-full.txt](llms-full.txt) is every page as one text.

## Guides

${guides.map(line).join("\n")}

## Reference

${reference.map(line).join("\n")}
`
}

/** How to use the framework, then every page, each behind a line with its path in the package. */
export const full = (): string =>
  ["AGENTS.md", ...told].map((path) => `<!-- ${path} -->\n\n${read(path).trim()}\n`).join("\n")
