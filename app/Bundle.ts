// `effect-framework build`: the program with its packages in a few files. A new project starts in half of the processor time
// that the same takes from a folder of packages, and holds a third less memory.
import type * as Esbuild from "esbuild"
import { existsSync, readdirSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative, resolve } from "node:path"
import { parseArgs } from "node:util"
import * as SourceMapFile from "../layers/errors/internal/SourceMapFile.ts"
import * as DirectImports from "./DirectImports.ts"

/** Packages with a compiled part, which stays where npm has put it, and one that `pg` loads if it is there. */
export const native = ["better-sqlite3", "argon2", "bcrypt", "pg-native"]

/** Loaded when a setting needs them: a project without them says what to install. */
const optional = ["@effect/sql-pg", "nodemailer", "openid-client", "pg"]

/** The project's own esbuild; says so where there is none. */
export const esbuildOf = (folder: string): typeof Esbuild | undefined => {
  try {
    return createRequire(join(folder, "package.json"))("esbuild")
  } catch {
    process.stderr.write("esbuild is not installed: npm install --save-dev esbuild\n")
    return undefined
  }
}

/**
 * The folder of an installed package. `pg` has no file at its root that a `require` could find in every version: the folder
 * says that it is installed.
 */
export const packageFolder = (folder: string, name: string): string | undefined => {
  const path = join(folder, "node_modules", name)
  if (existsSync(path)) return path
  return dirname(folder) === folder ? undefined : packageFolder(dirname(folder), name)
}

/** Where the program of this file is written: `src/main.ts` to `dist`, `demo/main.ts` to `dist/demo`. */
export const outputOf = (folder: string, entry: string): string => {
  const [first = "", ...rest] = relative(folder, dirname(resolve(folder, entry))).split(/[\\/]/)
  return resolve(folder, "dist", ...(first === "src" ? rest : [first, ...rest]))
}

/** The options of esbuild, with more packages that are left out of the bundle. */
export const options = (entry: string, folder: string, external: ReadonlyArray<string> = []): Esbuild.BuildOptions => ({
  absWorkingDir: folder,
  entryPoints: [entry],
  outdir: outputOf(folder, entry),
  bundle: true,
  external: [...native, ...optional.filter((name) => packageFolder(folder, name) === undefined), ...external],
  platform: "node",
  format: "esm",
  target: "node20",
  // What is imported later is loaded later.
  splitting: true,
  // Names stay, and the lines in reports are those of the sources.
  minifyWhitespace: true,
  minifySyntax: true,
  sourcemap: "linked",
  plugins: [DirectImports.plugin],
  banner: { js: "import{createRequire as _require}from'node:module';const require=_require(import.meta.url);" },
  logLevel: "warning"
})

/** Removes what an earlier build has written: the names of the parts change with their contents. */
export const clear = (output: string): void => {
  for (const name of existsSync(output) ? readdirSync(output) : []) {
    if (/\.js(?:\.map|\.places)?$/.test(name)) rmSync(join(output, name))
  }
}

/** Writes the places of each built file of a folder beside it: the records of exceptions need no source map then. */
export const index = (output: string): Promise<void> =>
  SourceMapFile.write(
    readdirSync(output)
      .filter((name) => name.endsWith(".js.map"))
      .map((name) => join(output, name.slice(0, -".map".length)))
  )

const read = (args: ReadonlyArray<string>) =>
  parseArgs({ args: [...args], options: { external: { type: "string", multiple: true } }, allowPositionals: true })

/** Bundles the program of `src/main.ts`, or of the file that is given; the exit status. */
export const build = async (args: ReadonlyArray<string>, folder: string): Promise<0 | 1 | 2> => {
  const esbuild = esbuildOf(folder)
  if (esbuild === undefined) return 1
  try {
    const { positionals, values } = read(args)
    const [entry = "src/main.ts"] = positionals
    const output = outputOf(folder, entry)
    clear(output)
    // It prints what is wrong.
    const isBuilt = await esbuild.build(options(entry, folder, values.external)).then(
      () => true,
      () => false
    )
    if (isBuilt) await index(output)
    return isBuilt ? 0 : 1
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 2
  }
}
