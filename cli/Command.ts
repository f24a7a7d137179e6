// The `effect-framework` command. It runs before anything is installed, so it imports only Node's own modules.
import { relative, resolve } from "node:path"
import { parseArgs } from "node:util"
import * as Package from "./Package.ts"
import * as Project from "./Project.ts"

export interface Outcome {
  /** 0 done, 1 failed, 2 wrong usage. */
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

const printed = (out: string): Outcome => ({ status: 0, out, err: "" })
const failed = (status: 1 | 2, reason: string): Outcome => ({ status, out: "", err: `${reason}\n` })
const usageError = (reason: string): Outcome => failed(2, `${reason}\n\n${usage.trimEnd()}`)

const options = {
  framework: { type: "string" },
  version: { type: "boolean" },
  help: { type: "boolean", short: "h" }
} as const

const read = (args: ReadonlyArray<string>) => parseArgs({ args: [...args], options, allowPositionals: true })

const parse = (args: ReadonlyArray<string>): ReturnType<typeof read> | string => {
  try {
    return read(args)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

const next = (cwd: string, folder: string): string => {
  const path = relative(cwd, folder)
  const enter = path === "" ? "" : `cd ${/^[\w./-]+$/.test(path) ? path : JSON.stringify(path)} && `
  return `  ${enter}npm install\n  npm run dev\n`
}

/** Runs the command; returns its output and exit status. */
export const command = (args: ReadonlyArray<string>, cwd: string): Outcome => {
  const parsed = parse(args)
  if (typeof parsed === "string") return usageError(parsed)
  const { positionals, values } = parsed
  if (values.help === true || positionals[0] === "help") return printed(usage)
  if (values.version === true) return printed(`${Package.manifest.version}\n`)
  const [name, target, ...rest] = positionals
  if (name === undefined) return usageError("No command given.")
  if (name !== "new") return usageError(`There is no command ${name}.`)
  if (target === undefined || rest.length > 0) return usageError("Give one folder for the project.")
  const folder = resolve(cwd, target)
  const written = Project.write(folder, values.framework ?? `^${Package.manifest.version}`)
  if (written._tag === "Refused") return failed(written.usage ? 2 : 1, written.reason)
  return printed(`${written.name} created with ${written.files.length} files. Next:\n\n${next(cwd, folder)}`)
}
