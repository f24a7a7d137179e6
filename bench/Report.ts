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
  Object.keys(subjects).map((name) => [name, Figures.of(results, name)] as const)

/** The processors with a figure that counts; all of them before the first. */
const current = (results: Results): Results => {
  const counted = results.filter(({ taken = {} }) => Object.values(taken).some(({ outdated }) => !outdated))
  return counted.length === 0 ? results : counted
}

const machines = (results: Results): ReadonlyArray<Machine> => results.map(({ machine }) => machine)

const verdict = ({ results, taken }: Measured): string => {
  const isCurrent = (name: string) => taken?.[name]?.outdated === false
  const barred = Object.keys(subjects)
    .filter(isCurrent)
    .flatMap((name) => (results[name] ?? []).filter(({ bar }) => bar !== undefined))
  return `${barred.filter(passes).length} of ${barred.length} current bars are met`
}

const described = (one: Measured): string => {
  const { cores, model, node } = one.machine
  return `- **${Figures.processor(one.machine)}**: ${cores} cores (${model}), Node.js ${node.replace(/^v/, "")}. ${verdict(one)}.`
}

const section = ([name, figures]: Section, results: Results): string => {
  const [title = name, text = ""] = subjects[name] ?? []
  const head = `\`npm run bench -- ${name}\` ${Figures.stamps(results, name)}`.trim()
  const table = figures.length === 0 ? "Not measured yet." : Figures.table(figures, machines(results))
  return `## ${title}\n\n${text}\n\n${head}\n\n${table}\n`
}

/** docs/performance.md */
export const page = (all: Results, notes: string = readFileSync(notesPath, "utf8")): string => {
  const results = current(all)
  return `# Performance

Written by \`npm run bench\` from \`bench/results.json\` and \`bench/notes.md\`; do not edit it by hand.

Every figure is taken beside a peer in the same run, in turns, and compared round by round: the ratio is the median over the
rounds. A ratio says more than a rate, which belongs to a machine. A figure that is more than 100 commits old, or of another minor
version, is marked (old) and grey in the picture, and never counts as met; a processor that has no other is left out. What was
measured on both sides, and on all processors, is in \`bench/results.json\`.

${results.map(described).join("\n")}

The load, the database and the server share the cores. Every server, ours and the peers', is started
without flags, as \`npm start\` does; ours turns V8's pretenuring off by itself. A
figure that a cache helps says so in its name, and has one beside it that no cache helps.

![How many times better than its bar each figure is](${chartPath.replace("docs/", "")})

Repeat it on a quiet machine: \`npm run bench -- main\` takes about half an hour for the subjects that the README shows,
\`npm run bench\` an hour more for all of them, \`npm run bench -- NAME\` is one subject,
\`npm run bench -- --quick\` a few minutes for a rough look that does not change this page, and \`npm run bench -- profile\` writes
where the time goes. The peers are installed into \`bench/\` by the first run and are no dependency of the package.

${sections(results)
  .map((one) => section(one, results))
  .join("\n")}
${[ProfileReport.section(results), notes.trim()].filter((part) => part !== "").join("\n\n")}
`
}

/** The chart of docs/performance.md */
export const chart = (all: Results): string => {
  const results = current(all)
  return Chart.svg(
    sections(results).flatMap(([, figures]) => figures),
    machines(results)
  )
}

/** The figures of the README: one for each promise, and none that a cache helps. */
const shown: ReadonlyArray<string> = [
  "routed JSON / bare node:http",
  "routed JSON / Fastify 5, same headers, its logger and a duration histogram",
  "p99 of routed JSON at 60 % of its saturation / Fastify with logger and histogram at the same rate",
  "processor time of a new project until its first response",
  "memory of an idle new project",
  "signed-in read, row read each time, SQLite / by hand",
  "session read, row read each time / Better Auth's get-session, SQLite",
  "/articles, distinct cursors, SQLite / by hand"
]

const isShown = ({ results, taken = {} }: Measured): boolean =>
  Object.entries(results).some(
    ([name, rows]) => taken[name]?.outdated === false && rows.some(({ subject }) => shown.includes(subject))
  )

/** The short table of the README, without the processors that have none of its figures. */
export const figures = (measured: Results): string => {
  const counted = current(measured)
  const results = counted.some(isShown) ? counted.filter(isShown) : counted
  const all = sections(results).flatMap(([, figures]) => figures)
  return Figures.table(
    shown.flatMap((subject) => all.filter((figure) => figure.subject === subject)),
    machines(results)
  )
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
