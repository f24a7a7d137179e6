// Creates a new project: a copy of the template with its own name, in a new or empty folder.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import * as Manifest from "./Manifest.ts"
import * as Package from "./Package.ts"

export type Written =
  | { readonly _tag: "Written"; readonly name: string; readonly files: ReadonlyArray<string> }
  | { readonly _tag: "Refused"; readonly reason: string; readonly usage: boolean }

const refused = (reason: string, usage = false): Written => ({ _tag: "Refused", reason, usage })

// The template's name for the project.
const placeholder = "my-app"

const isName = (name: string): boolean => /^[a-z0-9][a-z0-9._-]{0,99}$/.test(name)

// npm leaves out files of this name when it packs, so the template has it without the dot.
const renamed = (path: string): string => (path === "gitignore" ? ".gitignore" : path)

const contents = (name: string, framework: string): ReadonlyArray<readonly [path: string, text: string]> => [
  ["package.json", Manifest.print(name, framework, Package.manifest, process.versions.node)],
  ...readdirSync(Package.template, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(Package.template, join(entry.parentPath, entry.name)))
    .sort()
    .map((path) => {
      const text = readFileSync(join(Package.template, path), "utf8")
      return [renamed(path), text.replaceAll(placeholder, name)] as const
    })
]

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Why the folder cannot be used, if so. A `.git` folder in it is fine. */
const problemWith = (folder: string): string | undefined => {
  try {
    return readdirSync(folder).some((name) => name !== ".git")
      ? `${folder} is not empty; nothing was written.`
      : undefined
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined
    if (code === "ENOENT") return undefined
    return code === "ENOTDIR" ? `${folder} is a file; nothing was written.` : reasonOf(error)
  }
}

/** Writes the project, or returns why it cannot. */
export const write = (folder: string, framework: string): Written => {
  const name = basename(folder)
  if (!isName(name)) {
    return refused(
      `${name} is not a valid package name: use lower-case letters, digits, dots, dashes and underscores.`,
      true
    )
  }
  const problem = problemWith(folder)
  if (problem !== undefined) return refused(problem)
  try {
    const files = contents(name, framework)
    for (const [path, text] of files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      // Never overwrites a file that appeared in the meantime.
      writeFileSync(join(folder, path), text, { flag: "wx" })
    }
    return { _tag: "Written", name, files: files.map(([path]) => path) }
  } catch (error) {
    return refused(reasonOf(error))
  }
}
