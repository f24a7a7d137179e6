// Where the time goes, for people.
import { processor } from "../Figures.ts"
import type { Results } from "../Results.ts"
import { textTable } from "../Row.ts"
import { layers, titles } from "./Layers.ts"
import { paths } from "./Paths.ts"
import type { Summary } from "./Summary.ts"

const percent = (share: number): string => `${(share * 100).toFixed(share < 0.0995 ? 1 : 0)} %`

const shown = 5

const inOrder = (profiles: Readonly<Record<string, Summary>>) =>
  Object.entries(paths).flatMap(([name, { title }]) => {
    const summary = profiles[name]
    return summary === undefined ? [] : [{ title, summary }]
  })

const table = (profiles: Readonly<Record<string, Summary>>): string =>
  textTable([
    ["path", ...layers.map((layer) => titles[layer])],
    ...inOrder(profiles).map(({ summary, title }) =>
      [title].concat(layers.map((layer) => percent(summary.layers[layer])))
    )
  ])

const functions = (profiles: Readonly<Record<string, Summary>>): string =>
  textTable([
    ["path", "functions that themselves ran longest"],
    ...inOrder(profiles).map(({ summary, title }) => [
      title,
      summary.functions
        .filter(({ name }) => !name.startsWith("("))
        .slice(0, shown)
        .map(({ name, share }) => `\`${name}\` ${percent(share)}`)
        .join(", ")
    ])
  ])

/** The tables of each processor that has profiles. */
export const tables = (results: Results): string =>
  results
    .flatMap(({ machine, profiles }) =>
      profiles === undefined ? [] : [`### ${processor(machine)}\n\n${table(profiles)}\n\n${functions(profiles)}`]
    )
    .join("\n\n")

const layersOf = (results: Results): string =>
  results
    .flatMap(({ machine, profiles }) =>
      profiles === undefined ? [] : [`### ${processor(machine)}\n\n${table(profiles)}`]
    )
    .join("\n\n")

/** The section of docs/performance.md; empty before the first profile. */
export const section = (results: Results): string => {
  const found = layersOf(results)
  if (found === "") return ""
  return `## Where the time goes

The main thread of the built server under load, by where the source of the function is that ran; the time in which it waited
is left out. The kernel is the system time of that thread; V8 and C++ is what its samples count as native without it: the
parser, sockets, SQLite, digests. Drivers are all other packages.

\`npm run bench -- profile\` also prints the functions that ran longest, and writes a flame graph of each path into \`dist/profiles\`.

${found}`
}
