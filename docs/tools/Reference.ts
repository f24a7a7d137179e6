// The API reference: one page for each subsystem, and one that leads to them.
import type { Entry, Export, Member, Module } from "./Exports.ts"
import type { Mentions } from "./Mentions.ts"

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

const listed = (
  { example, generics, kind, members, name, sentence = "", signature }: Export,
  places: string | undefined
): string =>
  joined(
    [
      `- **${code(name + generics)}** ${kind}${signature === "" ? "" : ` ${code(signature)}`}\\`,
      `  ${sentence}${places === undefined ? "" : "\\"}`,
      places === undefined ? "" : `  ${places}`,
      ...members.map(member),
      example === undefined ? "" : `\n${indented(`\`\`\`ts\n${example}\`\`\``)}`
    ],
    "\n"
  )

const isType = ({ kind }: Export): boolean => kind === "interface" || kind === "type"

const most = 3

/** Leads from a type to the signatures in which it stands: those of values, else those of other types. */
const leads = (
  entries: ReadonlyArray<Entry>,
  mentioned: Mentions["mentioned"]
): ((name: string) => ReadonlyArray<string>) => {
  const all = new Map<string, Export>(
    entries.flatMap(({ modules }) =>
      modules.flatMap((module) => module.exports.map((one) => [`${module.name}.${one.name}`, one] as const))
    )
  )
  return (name) => {
    const own = all.get(name)
    if (own === undefined || !isType(own)) return []
    const module = `${name.split(".")[0]}.`
    const users = (mentioned[name] ?? []).flatMap((user) => {
      const one = all.get(user)
      return one === undefined
        ? []
        : [{ user, one, rank: (user.startsWith(module) ? 0 : 2) + (one.example === undefined ? 1 : 0) }]
    })
    const values = users.filter(({ one }) => !isType(one))
    return (values.length > 0 ? values : users)
      .toSorted((a, b) => a.rank - b.rank)
      .slice(0, most)
      .map(({ user }) => user)
  }
}

const section =
  (placesOf: (name: string) => string | undefined) =>
  ({ exports, name, path, purpose }: Module): string =>
    joined(
      [
        `### ${name}`,
        `${purpose} [Source](../../${path})`,
        exports.map((one) => listed(one, placesOf(`${name}.${one.name}`))).join("\n")
      ],
      "\n\n"
    )

const inside = (entry: Entry, subsystem: string): Entry => ({
  ...entry,
  modules: entry.modules.filter((module) => module.subsystem === subsystem)
})

const page = (title: string, entries: ReadonlyArray<Entry>, placesOf: (name: string) => string | undefined): string =>
  written +
  joined(
    [
      `# ${title}`,
      "[The whole reference](README.md)",
      ...entries.flatMap(({ modules, name }) => [`## ${code(name)}`, ...modules.map(section(placesOf))])
    ],
    "\n\n"
  ) +
  "\n"

// As code-hosting sites name a heading: in small letters, a second one of the same name with its number.
const anchors = (title: string, entries: ReadonlyArray<Entry>): ReadonlyMap<Module, string> => {
  const seen = new Map<string, number>()
  const anchor = (heading: string): string => {
    const plain = heading.toLowerCase().replace(/[^a-z0-9-]/g, "")
    const before = seen.get(plain) ?? 0
    seen.set(plain, before + 1)
    return before === 0 ? plain : `${plain}-${before}`
  }
  anchor(title)
  return new Map(
    entries.flatMap(({ modules, name }) => {
      anchor(name)
      return modules.map((module) => [module, anchor(module.name)] as const)
    })
  )
}

const cell = (text: string): string => text.replaceAll("|", "\\|")

const tables = (file: string, title: string, entries: ReadonlyArray<Entry>): ReadonlyArray<string> => {
  const to = anchors(title, entries)
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
export const pages = (entries: ReadonlyArray<Entry>, mentioned: Mentions["mentioned"]): ReadonlyMap<string, string> => {
  const parts = Object.entries(subsystems).map(([subsystem, title]) => ({
    file: `${subsystem}.md`,
    title,
    entries: entries.map((entry) => inside(entry, subsystem)).filter(({ modules }) => modules.length > 0)
  }))
  const chapters = parts.map(({ entries, file, title }) =>
    [`## [${title}](${file})`, ...tables(file, title, entries)].join("\n\n")
  )
  const homes = new Map(
    parts.flatMap(({ entries, file, title }) =>
      Array.from(anchors(title, entries), ([{ name }, anchor]) => [name, `${file}#${anchor}`] as const)
    )
  )
  const leading = leads(entries, mentioned)
  const placesOf = (name: string): string | undefined => {
    const links = leading(name).map((user) => `[${code(user)}](${homes.get(user.split(".")[0] ?? "")})`)
    return links.length === 0 ? undefined : `Stands in ${links.join(", ")}.`
  }
  return new Map([
    ["README.md", index(entries, chapters)],
    ...parts.map(({ entries, file, title }) => [file, page(title, entries, placesOf)] as const)
  ])
}

const lacking = (
  entries: ReadonlyArray<Entry>,
  isLacking: (one: Export, name: string) => boolean
): ReadonlyArray<string> =>
  entries.flatMap(({ modules }) =>
    modules.flatMap(({ exports, name, path }) =>
      exports.filter((one) => isLacking(one, `${name}.${one.name}`)).map((one) => `${path}: ${name}.${one.name}`)
    )
  )

/** The exports that have no sentence, by their full names. */
export const silent = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  lacking(entries, ({ sentence }) => sentence === undefined)

/** Those of which neither a signature nor a member is told. */
export const shapeless = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  lacking(entries, ({ members, signature }) => signature === "" && members.length === 0)

/** Those without an example that lead to no name which has one, or which is used in code that is compiled. */
export const unshown = (
  entries: ReadonlyArray<Entry>,
  mentioned: Mentions["mentioned"],
  isUsed: (module: string, name: string) => boolean
): ReadonlyArray<string> => {
  const leading = leads(entries, mentioned)
  const examples = new Set<string>(
    entries.flatMap(({ modules }) =>
      modules.flatMap(({ exports, name }) =>
        exports.flatMap((one) => (one.example === undefined ? [] : [`${name}.${one.name}`]))
      )
    )
  )
  const isShown = (full: string, before: ReadonlyArray<string>): boolean => {
    const [module = "", name = ""] = full.split(".")
    if (examples.has(full) || isUsed(module, name)) return true
    return leading(full).some((user) => !before.includes(user) && isShown(user, [...before, full]))
  }
  return lacking(entries, (_, name) => !isShown(name, []))
}
