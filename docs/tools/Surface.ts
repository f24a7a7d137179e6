// The public names of the package as one list, so that a change of the surface shows as a changed line.
import type { Entry, Export } from "./Exports.ts"

const head = (count: number): string =>
  `# ${count} public names, written by \`npm run reference\`. A changed line is a change for users: mention it in CHANGELOG.md.\n`

const types = "# The types of their options and results, which are not counted:\n"

const isType = ({ kind }: Export): boolean => kind === "interface" || kind === "type"

const listed = (entries: ReadonlyArray<Entry>, sign: string, keep: (one: Export) => boolean): ReadonlyArray<string> =>
  entries
    .flatMap((entry) =>
      entry.modules.flatMap((module) =>
        module.exports.filter(keep).map((one) => `${entry.name} ${sign} ${module.name}.${one.name}`)
      )
    )
    .sort()

/** Each public value as `entry › Module.name`, sorted: a function, class, layer or constant. */
export const names = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> =>
  listed(entries, "›", (one) => !isType(one))

/** Each public interface and type alias as `entry · Module.name`, sorted. */
export const typeNames = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> => listed(entries, "·", isType)

/** The text of `docs/api/surface.txt`. */
export const text = (entries: ReadonlyArray<Entry>): string => {
  const values = names(entries)
  return `${head(values.length)}\n${values.join("\n")}\n\n${types}\n${typeNames(entries).join("\n")}\n`
}
