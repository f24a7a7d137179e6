// Effect and the packages on it, in a few files for `effect-framework dev`: Node.js needs more than a second for their fourteen
// hundred modules, at every start of the program.
import type * as Esbuild from "esbuild"
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { native, options, packageFolder } from "./Bundle.ts"

interface Manifest {
  readonly type?: string
  readonly module?: string
  readonly exports?: unknown
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

/** What was built, from which files, and when it began. */
interface Built {
  readonly names: ReadonlyArray<string>
  readonly external: ReadonlyArray<string>
  readonly inputs: ReadonlyArray<string>
  readonly began: number
}

// A boundary: npm has written it, or `ensure` has.
const read = <A>(file: string): A | undefined => {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    return undefined
  }
}

const packageOf = (path: string): string =>
  path
    .split("/")
    .slice(0, path.startsWith("@") ? 2 : 1)
    .join("/")

// Two copies of Effect in one process would not know each other's values: a package that needs it comes along. What a package
// without modules exports is not known before it runs.
const isOnEffect = (folder: string, name: string): boolean => {
  const at = packageFolder(folder, name)
  const manifest = at === undefined ? undefined : read<Manifest>(join(at, "package.json"))
  const { dependencies, exports, module, peerDependencies, type } = manifest ?? {}
  const hasModules = type === "module" || module !== undefined || JSON.stringify(exports ?? "").includes(`"import"`)
  return hasModules && (name === "effect" || "effect" in { ...dependencies, ...peerDependencies })
}

const nativeNames = new RegExp(`^(?:${native.join("|")})$`)

const locate = (importer: string, name: string): string | undefined => {
  try {
    return createRequire(importer).resolve(name)
  } catch {
    return undefined
  }
}

// A file that npm writes, moves or links has a new time of change.
const isUnchanged = ({ began, inputs }: Built, folder: string): boolean =>
  inputs.every((path) => (statSync(join(folder, path), { throwIfNoEntry: false })?.ctimeMs ?? Infinity) < began)

export interface Packages {
  /** Leads the imports of the program to the built files. */
  readonly plugin: Esbuild.Plugin
  /** Builds what the last build of the program imports, unless it is there; the errors. */
  readonly ensure: () => Promise<ReadonlyArray<Esbuild.Message>>
}

export const make = (esbuild: typeof Esbuild, folder: string, output: string): Packages => {
  // Its frames are those of packages, which an error page leaves out at first.
  const outdir = join(output, "node_modules", ".packages")
  const record = join(outdir, "built.json")
  const fileOf = (name: string) => join(outdir, `${name}.js`)
  const wanted = new Set<string>()
  const known = new Map<string, boolean>()

  const plugin: Esbuild.Plugin = {
    name: "packages",
    setup: (build) => {
      build.onStart(() => {
        wanted.clear()
        known.clear()
      })
      build.onResolve({ filter: /^[^./]/ }, ({ kind, path }) => {
        if (kind !== "import-statement" && kind !== "dynamic-import") return undefined
        const name = packageOf(path)
        const isBuilt = known.get(name) ?? isOnEffect(folder, name)
        known.set(name, isBuilt)
        if (!isBuilt) return undefined
        wanted.add(path)
        return { path: pathToFileURL(fileOf(path)).href, external: true }
      })
    }
  }

  const resolved: Esbuild.Plugin = {
    name: "resolved",
    setup: (build) => {
      build.onResolve({ filter: /./ }, ({ kind, path }) =>
        kind === "entry-point" ? build.resolve(path, { kind: "import-statement", resolveDir: folder }) : undefined
      )
      // What is left out is found where the package that needs it finds it, which need not be the project.
      build.onResolve({ filter: nativeNames }, ({ importer, kind, path }) => {
        const file = locate(importer, path)
        if (file === undefined) return undefined
        return { path: kind === "require-call" ? file : pathToFileURL(file).href, external: true }
      })
    }
  }

  const ensure = async (): Promise<ReadonlyArray<Esbuild.Message>> => {
    const { entryPoints: _, external = [], ...rest } = options("", folder)
    const before = read<Built>(record)
    const isSame = before !== undefined && String(before.external) === String(external) && isUnchanged(before, folder)
    if (isSame && [...wanted].every((name) => before.names.includes(name))) return []
    const names = [...new Set([...wanted, ...(isSame ? before.names : [])])].toSorted()
    if (names.length === 0) return []
    // What is killed in the middle is built anew.
    rmSync(record, { force: true })
    process.stderr.write("Bundling Effect and the packages on it …\n")
    const began = Date.now()
    try {
      const { metafile } = await esbuild.build({
        ...rest,
        entryPoints: Object.fromEntries(names.map((name) => [name, name])),
        external,
        outdir,
        minifyWhitespace: false,
        minifySyntax: false,
        sourcemap: false,
        metafile: true,
        logLevel: "silent",
        plugins: [resolved]
      })
      // The program that runs has loaded them, and ends now.
      const written = new Set(Object.keys(metafile.outputs).map((path) => resolve(folder, path)))
      for (const name of readdirSync(outdir, { encoding: "utf8", recursive: true })) {
        const file = join(outdir, name)
        if (file.endsWith(".js") && !written.has(file)) rmSync(file)
      }
      const built: Built = { names, external, inputs: Object.keys(metafile.inputs), began }
      writeFileSync(record, JSON.stringify(built))
      return []
    } catch (error) {
      if (error instanceof Error && "errors" in error && Array.isArray(error.errors)) return error.errors
      throw error
    }
  }

  return { plugin, ensure }
}
