// `npm run slowest`: the ten test files that took longest when they last ran, from the figures that vitest keeps.
// What it keeps of files and projects that are no more is left out.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

const folder = "node_modules/.vite/vitest"
const shown = 10

/** The projects of `vitest.config.ts`. */
export const projects: ReadonlyArray<string> = ["shared", "smoke", "postgres", "programs"]

// A boundary: vitest's cache, a list of `["project:path", { duration }]` with milliseconds.
interface Cache {
  readonly results: ReadonlyArray<readonly [name: string, result: { readonly duration: number }]>
}

/** The lines that it prints, the slowest first. */
export const slowest = ({ results }: Cache, exists: (path: string) => boolean = existsSync): ReadonlyArray<string> =>
  results
    .map(([name, { duration }]) => ({ project: name.replace(/:.*$/, ""), path: name.replace(/^[^:]*:/, ""), duration }))
    .filter(({ path, project }) => projects.includes(project) && exists(path))
    .sort((a, b) => b.duration - a.duration)
    .slice(0, shown)
    .map(({ duration, path }) => `${(duration / 1000).toFixed(1).padStart(7)} s  ${path}`)

if (import.meta.filename === process.argv[1]) {
  const caches = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, "results.json")) : []
  const lines = caches.filter((path) => existsSync(path)).map((path) => JSON.parse(readFileSync(path, "utf8")) as Cache)
  for (const cache of lines) process.stdout.write(`${slowest(cache).join("\n")}\n`)
  if (lines.length === 0) process.stderr.write("No run of the tests is known yet: npm test\n")
}
