// The public names of the package as one list, so that a change of the surface shows as a changed line.
import type { Entry } from "./Exports.ts"

const head = (count: number): string =>
  `# ${count} public names, written by \`npm run reference\`. A changed line is a change for users: mention it in CHANGELOG.md.\n`

/** Each public name as `entry › Module.name`, sorted. */
export const names = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  entries
    .flatMap((entry) =>
      entry.modules.flatMap((module) => module.exports.map((one) => `${entry.name} › ${module.name}.${one.name}`))
    )
    .sort()

/** The text of `docs/api/surface.txt`. */
export const text = (entries: ReadonlyArray<Entry>): string => {
  const all = names(entries)
  return `${head(all.length)}\n${all.join("\n")}\n`
}
