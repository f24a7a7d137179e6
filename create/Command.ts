// The commands that create a project. They run before anything is installed, so they import only Node's own modules.
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

type Args = ReadonlyArray<string>

const optionsUsage = `  --framework SPEC   where npm finds the framework: a version range, or a tarball
                     such as file:../effect-framework.tgz
  --version          print the version
  --help             print this
`

const commandUsage = `Usage: effect-framework new FOLDER [--framework SPEC]
       effect-framework dev [FILE]
       effect-framework build [FILE] [--external NAME]

  new FOLDER         write a small, complete project into a new or empty folder
  dev [FILE]         serve the program of src/main.ts, or of this file, and start
                     it again after each change; needs esbuild
  build [FILE]       bundle the program of src/main.ts, or of this file, with its
                     packages into dist; needs esbuild
  --external NAME    leave this package out of the bundle: one with a compiled part

${optionsUsage}`

const createUsage = `Usage: npm create effect-framework FOLDER [-- --framework SPEC]

  FOLDER             a new or empty folder, for a small, complete project

${optionsUsage}`

const printed = (out: string): Outcome => ({ status: 0, out, err: "" })
const failed = (status: 1 | 2, reason: string): Outcome => ({ status, out: "", err: `${reason}\n` })
const usageError = (reason: string, usage: string): Outcome => failed(2, `${reason}\n\n${usage.trimEnd()}`)

const options = {
  framework: { type: "string" },
  version: { type: "boolean" },
  help: { type: "boolean", short: "h" }
} as const

const read = (args: Args) => parseArgs({ args: [...args], options, allowPositionals: true })

const parse = (args: Args): ReturnType<typeof read> | string => {
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

const run = (args: Args, usage: string, proceed: (words: Args, framework: string) => Outcome): Outcome => {
  const parsed = parse(args)
  if (typeof parsed === "string") return usageError(parsed, usage)
  const { positionals, values } = parsed
  if (values.help === true || positionals[0] === "help") return printed(usage)
  if (values.version === true) return printed(`${Package.manifest.version}\n`)
  return proceed(positionals, values.framework ?? `^${Package.manifest.version}`)
}

const write = (words: Args, framework: string, cwd: string, usage: string): Outcome => {
  const [target, ...rest] = words
  if (target === undefined || rest.length > 0) return usageError("Give one folder for the project.", usage)
  const folder = resolve(cwd, target)
  const written = Project.write(folder, framework)
  if (written._tag === "Refused") return failed(written.usage ? 2 : 1, written.reason)
  return printed(`${written.name} created with ${written.files.length} files. Next:\n\n${next(cwd, folder)}`)
}

/** `effect-framework`: its output and exit status. */
export const command = (args: Args, cwd: string): Outcome =>
  run(args, commandUsage, ([name, ...words], framework) => {
    if (name === undefined) return usageError("No command given.", commandUsage)
    if (name !== "new") return usageError(`There is no command ${name}.`, commandUsage)
    return write(words, framework, cwd, commandUsage)
  })

/** `create-effect-framework`: its output and exit status. */
export const create = (args: Args, cwd: string): Outcome =>
  run(args, createUsage, (words, framework) => write(words, framework, cwd, createUsage))

/** Writes the output and sets the exit status of this process. */
export const print = ({ err, out, status }: Outcome): void => {
  process.stdout.write(out)
  process.stderr.write(err)
  process.exitCode = status
}
