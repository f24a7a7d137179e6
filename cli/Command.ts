// What the words of the command line mean. It runs before anything is installed, so it stands on Node alone.
import { relative, resolve } from "node:path"
import { parseArgs } from "node:util"
import * as Package from "./Package.ts"
import * as Project from "./Project.ts"

export interface Outcome {
  /** 0 done, 1 refused, 2 not understood. */
  readonly status: 0 | 1 | 2
  readonly out: string
  readonly err: string
}

const usage = `Usage: effect-framework new FOLDER [--framework SPEC]

  new FOLDER         write a small, complete project into a new or empty folder

  --framework SPEC   where npm finds the framework: a version range, or a tarball
                     such as file:../effect-framework.tgz
  --version          print the version
  --help             print this
`

const said = (out: string): Outcome => ({ status: 0, out, err: "" })
const refused = (status: 1 | 2, reason: string): Outcome => ({ status, out: "", err: `${reason}\n` })
const misunderstood = (reason: string): Outcome => refused(2, `${reason}\n\n${usage.trimEnd()}`)

const options = {
  framework: { type: "string" },
  version: { type: "boolean" },
  help: { type: "boolean", short: "h" }
} as const

const read = (words: ReadonlyArray<string>) => parseArgs({ args: [...words], options, allowPositionals: true })

const parse = (words: ReadonlyArray<string>): ReturnType<typeof read> | string => {
  try {
    return read(words)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const next = (cwd: string, folder: string): string => {
  const path = relative(cwd, folder)
  const enter = path === "" ? "" : `cd ${/^[\w./-]+$/.test(path) ? path : JSON.stringify(path)} && `
  return `  ${enter}npm install\n  npm run dev\n`
}

/** Does what the words say; what to print, and the exit status. */
export const command = (words: ReadonlyArray<string>, cwd: string): Outcome => {
  const parsed = parse(words)
  if (typeof parsed === "string") return misunderstood(parsed)
  const { positionals, values } = parsed
  if (values.help === true || positionals[0] === "help") return said(usage)
  if (values.version === true) return said(`${Package.manifest.version}\n`)
  const [name, target, ...rest] = positionals
  if (name === undefined) return misunderstood("Say what to do.")
  if (name !== "new") return misunderstood(`There is no command ${name}.`)
  if (target === undefined || rest.length > 0) return misunderstood("Name one folder for the project.")
  const folder = resolve(cwd, target)
  const written = Project.write(folder, values.framework ?? `^${Package.manifest.version}`)
  if (written._tag === "Refused") return refused(written.usage ? 2 : 1, written.reason)
  return said(`${written.name} is written, ${written.files.length} files. Next:\n\n${next(cwd, folder)}`)
}
