// The API reference: one page for each subsystem, and one that leads to them.
import type { Entry, Export, Member, Module } from "./Exports.ts"

const subsystems: Readonly<Record<string, string>> = {
  app: "Program",
  auth: "Authentication",
  session: "Sessions, forms and pages",
  errors: "Error handling",
  observability: "Observability",
  pagination: "Pagination",
  jobs: "Jobs",
  mail: "Mail",
  texts: "Texts",
  database: "Database",
  http: "HTTP",
  config: "Settings",
  server: "Server",
  testing: "Testing"
}

const written = "<!-- Written by `npm run reference` from the sources. -->\n\n"

const code = (text: string): string => (text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``)

const joined = (parts: ReadonlyArray<string>, between: string): string =>
  parts.filter((part) => part !== "").join(between)

const member = ({ name, sentence = "", signature }: Member): string =>
  joined([`  - ${code(`${name}: ${signature}`)}`, sentence], " – ")

const indented = (text: string): string => text.replace(/^(?=.)/gm, "  ")

const listed = ({ example, generics, kind, members, name, sentence = "", signature }: Export): string =>
  joined(
    [
      `- **${code(name + generics)}** ${kind}${signature === "" ? "" : ` ${code(signature)}`}\\`,
      `  ${sentence}`,
      ...members.map(member),
      example === undefined ? "" : `\n${indented(`\`\`\`ts\n${example}\`\`\``)}`
    ],
    "\n"
  )

const section = ({ exports, name, path, purpose }: Module): string =>
  joined([`### ${name}`, `${purpose} [Source](../../${path})`, exports.map(listed).join("\n")], "\n\n")

const inside = (entry: Entry, subsystem: string): Entry => ({
  ...entry,
  modules: entry.modules.filter((module) => module.subsystem === subsystem)
})

const page = (title: string, entries: ReadonlyArray<Entry>): string =>
  written +
  joined(
    [
      `# ${title}`,
      "[The whole reference](README.md)",
      ...entries.flatMap(({ modules, name }) => [`## ${code(name)}`, ...modules.map(section)])
    ],
    "\n\n"
  ) +
  "\n"

// As code-hosting sites name a heading: in small letters, a second one of the same name with its number.
const anchors = (entries: ReadonlyArray<Entry>): ReadonlyMap<Module, string> => {
  const seen = new Map<string, number>()
  const anchor = (heading: string): string => {
    const plain = heading.toLowerCase().replace(/[^a-z0-9-]/g, "")
    const before = seen.get(plain) ?? 0
    seen.set(plain, before + 1)
    return before === 0 ? plain : `${plain}-${before}`
  }
  return new Map(
    entries.flatMap(({ modules, name }) => {
      anchor(name)
      return modules.map((module) => [module, anchor(module.name)] as const)
    })
  )
}

const cell = (text: string): string => text.replaceAll("|", "\\|")

const tables = (file: string, entries: ReadonlyArray<Entry>): ReadonlyArray<string> => {
  const to = anchors(entries)
  return entries.map(({ modules, name }) =>
    [
      `| ${code(name)} | |`,
      "|---|---|",
      ...modules.map((module) => `| [${module.name}](${file}#${to.get(module)}) | ${cell(module.purpose)} |`)
    ].join("\n")
  )
}

const index = (entries: ReadonlyArray<Entry>, chapters: ReadonlyArray<string>): string =>
  written +
  joined(
    [
      "# API reference",
      'Every module of the package is a namespace of its entry point: `import { Tokens } from "effect-framework/auth"`, then `Tokens.lifetime`.',
      entries.map(({ name, purpose }) => `- ${code(name)}: ${purpose}`).join("\n"),
      ...chapters
    ],
    "\n\n"
  ) +
  "\n"

/** The pages by their names in `docs/api`. */
export const pages = (entries: ReadonlyArray<Entry>): ReadonlyMap<string, string> => {
  const parts = Object.entries(subsystems).map(([subsystem, title]) => ({
    file: `${subsystem}.md`,
    title,
    entries: entries.map((entry) => inside(entry, subsystem)).filter(({ modules }) => modules.length > 0)
  }))
  const chapters = parts.map(({ entries, file, title }) =>
    [`## [${title}](${file})`, ...tables(file, entries)].join("\n\n")
  )
  return new Map([
    ["README.md", index(entries, chapters)],
    ...parts.map(({ entries, file, title }) => [file, page(title, entries)] as const)
  ])
}

/** The exports that have no sentence, by their full names. */
export const silent = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  entries.flatMap(({ modules }) =>
    modules.flatMap(({ exports, name, path }) =>
      exports.filter(({ sentence }) => sentence === undefined).map((one) => `${path}: ${name}.${one.name}`)
    )
  )
