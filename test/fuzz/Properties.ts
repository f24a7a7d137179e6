// Which test files hold properties, which of their tests are properties, and how often each of them is repeated.
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join, relative, resolve, sep } from "node:path"
import { fileURLToPath } from "node:url"

/** The folder of the repository. */
export const root = fileURLToPath(new URL("../..", import.meta.url))

/** How many times as often as in `npm test` a property runs, each time with a fresh seed. */
export const factor = 100

/** The same for files that start databases, servers, browsers or processes. */
export const expensiveFactor = 10

const expensive = /support\/(?:AuthApp|Browser|Databases|Demo|Serving)\b/
const property = /\.prop\(|\b(?:FastCheck|fc)\.(?:assert|check|sample)\(/

const source = (path: string): string => readFileSync(resolve(root, path), "utf8")

/** Whether the file needs a database or another expensive resource. */
export const isExpensive = (path: string): boolean => expensive.test(source(path))

/** How often each property of the file is repeated. */
export const repetitions = (path: string): number => (isExpensive(path) ? expensiveFactor : factor)

/** The lines at which the tests that are properties begin, of all lines at which a test begins. */
export const propertyLines = (path: string, testLines: Iterable<number>): ReadonlySet<number> => {
  const lines = source(path).split("\n")
  const starts = [...new Set(testLines)].sort((a, b) => a - b)
  return new Set(
    starts.filter((start, index) =>
      property.test(lines.slice(start - 1, (starts[index + 1] ?? Infinity) - 1).join("\n"))
    )
  )
}

const below = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".test.ts"))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))

// Its properties are about the fixed seed of `npm test`, which a fuzz run replaces.
const aboutTheSeed = "test/support/Seed.test.ts"

/** Every test file that holds a property. */
export const files = (): ReadonlyArray<string> =>
  [...below("test"), ...below("docs/examples")]
    .filter((path) => path !== aboutTheSeed && property.test(source(path)))
    .sort()

const isFile = (path: string): boolean => statSync(resolve(root, path), { throwIfNoEntry: false })?.isFile() === true

/** The files whose path contains the name, in any case, or the file of that path. */
export const named = (name: string): ReadonlyArray<string> => {
  const found = files().filter((path) => path.toLowerCase().includes(name.toLowerCase()))
  return found.length === 0 && isFile(name) && property.test(source(name)) ? [name] : found
}
