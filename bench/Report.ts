// The figures for people: docs/performance.md with its chart, and the short table in the README.
import { readFileSync, writeFileSync } from "node:fs"
import * as Chart from "./Chart.ts"
import * as Figures from "./Figures.ts"
import * as ProfileReport from "./profile/ProfileReport.ts"
import type { Machine, Measured, Results } from "./Results.ts"
import { passes } from "./Row.ts"
import { subjects } from "./Subjects.ts"

export const chartPath = "docs/performance.svg"
export const pagePath = "docs/performance.md"
export const readmePath = "README.md"

/** What was tried, written by hand. */
const notesPath = "bench/notes.md"

type Section = readonly [name: string, figures: ReadonlyArray<Figures.Figure>]

const sections = (results: Results): ReadonlyArray<Section> =>
  Object.keys(subjects).flatMap((name) => {
    const figures = Figures.of(results, name)
    return figures.length === 0 ? [] : [[name, figures] as const]
  })

const machines = (results: Results): ReadonlyArray<Machine> => results.map(({ machine }) => machine)

const verdict = ({ results }: Measured): string => {
  const barred = Object.keys(subjects).flatMap((name) => (results[name] ?? []).filter(({ bar }) => bar !== undefined))
  return `${barred.filter(passes).length} of ${barred.length} bars are met`
}

const described = (one: Measured): string => {
  const { cores, load, model, node } = one.machine
  return `- **${Figures.processor(one.machine)}**: ${cores} cores (${model}), Node.js ${node.replace(/^v/, "")}, load made by ${load}. ${verdict(one)}.`
}

const section = ([name, figures]: Section, results: Results): string => {
  const [title = name, text = ""] = subjects[name] ?? []
  return `## ${title}\n\n${text}\n\n\`npm run bench -- ${name}\`\n\n${Figures.wideTable(figures, machines(results))}\n`
}

/** docs/performance.md */
export const page = (results: Results, notes: string = readFileSync(notesPath, "utf8")): string => `# Performance

Written by \`npm run bench\` from \`bench/results.json\` and \`bench/notes.md\`; do not edit it by hand.

Every figure is taken beside a peer in the same run, in turns, and compared round by round: the ratio is the median over the
rounds. A ratio says more than a rate, which belongs to a machine. A run replaces the figures of its own kind of processor;
those of the others stay beside them, and “–” is a figure that was not measured there.

${results.map(described).join("\n")}

The load, the database and the server share the cores. Every server, ours and the peers', runs with the flags of \`npm start\`. A
figure that a cache helps says so in its name, and has one beside it that no cache helps.

![How many times better than its bar each figure is](${chartPath.replace("docs/", "")})

Repeat it on a quiet machine: \`npm run bench\` takes about half an hour, \`npm run bench -- NAME\` one subject,
\`npm run bench -- --quick\` a few minutes for a rough look that does not change this page, and \`npm run bench -- profile\` writes
where the time goes. The peers are installed into \`bench/\` by the first run and are no dependency of the package.

${sections(results)
  .map((one) => section(one, results))
  .join("\n")}
${[ProfileReport.section(results), notes.trim()].filter((part) => part !== "").join("\n\n")}
`

/** The chart of docs/performance.md */
export const chart = (results: Results): string =>
  Chart.svg(
    sections(results).flatMap(([, figures]) => figures),
    machines(results)
  )

/** The figures that compare us with something a reader knows. */
const known =
  /Better Auth's|Fastify|prom-client|Youch|bare node:http|by hand|bare page|bare argon2|two workers|first response|^memory|^OFFSET .* one column/

// These have a section of their own with many rows alike.
const left = new Set(["pagination"])

// Shown beside those that remember, also without a bar of its own.
const isReread = /read each time|distinct cursors/

const isShown = ({ bar, subject }: Figures.Figure): boolean =>
  known.test(subject) && (bar !== undefined || isReread.test(subject))

const isRemembered = ({ subject }: Figures.Figure): boolean => subject.includes("remembered")

// A figure that a cache helps is shown only beside one of the same subject that none helps.
const beside = (figures: ReadonlyArray<Figures.Figure>): ReadonlyArray<Figures.Figure> =>
  figures.every(isRemembered) ? [] : figures

/** The short table of the README. */
export const figures = (results: Results): string => {
  const shown = sections(results).flatMap(([name, figures]) => (left.has(name) ? [] : beside(figures.filter(isShown))))
  return Figures.table(shown, machines(results))
}

const marked = /(<!-- figures -->\n)[^]*?(<!-- \/figures -->)/

/** The README with the figures in their place. */
export const readme = (text: string, results: Results): string =>
  text.replace(marked, (_, open: string, close: string) => `${open}\n${figures(results)}\n\n${close}`)

export const write = (results: Results): void => {
  writeFileSync(chartPath, chart(results))
  writeFileSync(pagePath, page(results))
  writeFileSync(readmePath, readme(readFileSync(readmePath, "utf8"), results))
}
