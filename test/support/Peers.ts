// The packed package beside a small program, on versions of its peers that the test names.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./Demo.ts"
import { type Packed, run } from "./Packed.ts"

interface Manifest {
  readonly version: string
  readonly exports: Readonly<Record<string, unknown>>
  readonly overrides: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, unknown>>
}

// A boundary: the manifests of packages.
const read = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest

export const manifest = read(".")

export type Versions = Readonly<Record<string, string>>

const isOptional = (name: string): boolean => Object.hasOwn(manifest.peerDependenciesMeta, name)

/** The least version of each range, without the optional peers. */
export const oldest: Versions = Object.fromEntries(
  Object.entries(manifest.peerDependencies)
    .filter(([name]) => !isOptional(name))
    .map(([name, range]) => [name, /\d+\.\d+\.\d+/.exec(range)?.[0] ?? ""])
)

/** The versions of the lock file, with the optional peers. */
export const newest: Versions = Object.fromEntries(
  Object.keys(manifest.peerDependencies).map((name) => [name, read(`node_modules/${name}`).version])
)

/** The names by which a program imports the package. */
export const entryPoints: ReadonlyArray<string> = Object.keys(manifest.exports)
  .filter((name) => name !== "./package.json")
  .map((name) => name.replace(/^\./, "effect-framework"))

const compiler = {
  target: "ES2022",
  module: "NodeNext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noEmit: true,
  skipLibCheck: true,
  lib: ["ES2023", "DOM"],
  types: ["node"]
}

/** Installs the package with these peers; the program's folder. */
export const install = async (packed: Packed, name: string, peers: Versions, program: string): Promise<string> => {
  const folder = join(packed.folder, name)
  const dependencies = {
    ...peers,
    "@types/node": read("node_modules/@types/node").version,
    "effect-framework": `file:../${packed.tarball}`
  }
  const { overrides } = manifest
  mkdirSync(folder)
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name, private: true, type: "module", dependencies, overrides })
  )
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: compiler, files: ["program.ts"] }))
  writeFileSync(join(folder, "program.ts"), program)
  await run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], { cwd: folder })
  return folder
}

/** Every copy of an Effect package that is installed, by its version. */
export const copies = async (folder: string): Promise<Readonly<Record<string, ReadonlyArray<string>>>> => {
  // Ends with a status of its own when a peer is missing or of a version outside its range.
  const { stdout } = await run("npm", ["ls", "--all", "--parseable"], { cwd: folder })
  const paths = [...new Set(stdout.trim().split("\n"))].filter((path) =>
    /\/node_modules\/(?:@effect\/[^/]+|effect)$/.test(path)
  )
  const found: Record<string, Array<string>> = {}
  for (const path of paths) {
    const { version }: Manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8"))
    ;(found[path.replace(/^.*\/node_modules\//, "")] ??= []).push(version)
  }
  return found
}

/** Runs a script in the program's folder; what it printed. */
export const evaluate = async (folder: string, script: string): Promise<string> => {
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], { cwd: folder })
  return stdout.trim()
}

/** Checks the types of the program with one of the compilers that are installed here. */
export const check = (folder: string, compiler: "typescript" | "typescript-7") =>
  run(process.execPath, [join(root, "node_modules", compiler, "bin", "tsc"), "-p", "."], { cwd: folder })
