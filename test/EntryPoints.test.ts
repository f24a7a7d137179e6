// What importing each entry point loads: a new package or built-in module is a decision that shows as a changed row here.
import { describe, expect, it } from "@effect/vitest"
import { build, type Metafile } from "esbuild"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { root } from "./support/Demo.ts"

const effect = ["effect"]
const http = ["@effect/platform", "effect"]

/** What our own files import, without what they load later with `import()`. */
const imported: Readonly<Record<string, ReadonlyArray<string>>> = {
  ".": [
    "@effect/platform-node",
    "effect",
    "node:cluster",
    "node:crypto",
    "node:fs",
    "node:fs/promises",
    "node:inspector",
    "node:module",
    "node:net",
    "node:path",
    "node:perf_hooks",
    "node:url",
    "node:v8",
    "node:worker_threads"
  ],
  "./config": effect,
  "./http": effect,
  "./errors": effect,
  "./observability": effect,
  "./database": effect,
  "./session": effect,
  "./jobs": effect,
  "./mail": effect,
  "./pagination": effect,
  "./auth": effect,
  "./texts": effect,
  "./server": effect,
  "./layers/errors": [
    "@effect/platform-node",
    "effect",
    "node:crypto",
    "node:fs",
    "node:inspector",
    "node:module",
    "node:path",
    "node:url",
    "node:v8",
    "node:worker_threads"
  ],
  "./layers/observability": [
    "@effect/platform",
    "effect",
    "node:cluster",
    "node:crypto",
    "node:fs",
    "node:fs/promises",
    "node:inspector",
    "node:module",
    "node:os",
    "node:path",
    "node:perf_hooks",
    "node:url",
    "node:v8",
    "node:worker_threads"
  ],
  "./layers/database": ["@effect/experimental", "@effect/sql", "effect"],
  "./layers/session": ["effect", "multipasta", "node:crypto", "node:fs", "node:fs/promises", "node:path"],
  "./layers/jobs": ["@effect/sql", "effect", "node:crypto"],
  "./layers/mail": ["@effect/sql", "effect", "node:crypto", "node:fs/promises", "node:path"],
  "./layers/pagination": ["@effect/sql", "effect", "node:crypto"],
  "./layers/auth": [
    "@effect/sql",
    "effect",
    "node:crypto",
    "node:dns",
    "node:http",
    "node:https",
    "node:net",
    "node:os",
    "otpauth",
    "uqr"
  ],
  "./layers/server": [
    "@effect/experimental",
    "@effect/platform",
    "@effect/platform-node",
    "@effect/sql",
    "effect",
    "multipasta",
    "node:cluster",
    "node:crypto",
    "node:dns",
    "node:fs",
    "node:fs/promises",
    "node:http",
    "node:https",
    "node:inspector",
    "node:module",
    "node:net",
    "node:os",
    "node:path",
    "node:perf_hooks",
    "node:stream",
    "node:url",
    "node:v8",
    "node:worker_threads",
    "otpauth",
    "uqr"
  ],
  "./routes/http": http,
  "./routes/errors": http,
  "./routes/observability": http,
  "./routes/session": http,
  "./routes/pagination": http,
  "./routes/auth": http,
  "./routes/server": http,
  "./testing": [
    "@effect/experimental",
    "@effect/platform",
    "@effect/platform-node",
    "@effect/sql",
    "effect",
    "multipasta",
    "node:crypto",
    "node:dns",
    "node:fs",
    "node:fs/promises",
    "node:http",
    "node:https",
    "node:module",
    "node:net",
    "node:os",
    "node:path",
    "node:perf_hooks",
    "node:stream",
    "node:v8",
    "otpauth",
    "uqr"
  ]
}

/** What is slow to load, native, or opens connections, wherever it is imported from. */
const drivers = new Set(["argon2", "bcrypt", "better-sqlite3", "nodemailer", "openid-client", "pg", "undici", "ws"])

const manifest: { readonly exports: Readonly<Record<string, string | { readonly types: string }>> } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8")
)

const entryPoints = Object.entries(manifest.exports).flatMap(([name, target]) =>
  typeof target === "string" ? [] : [[name, target.types.replace(/^\.\/dist\/(.*)\.d\.ts$/, "$1.ts")] as const]
)

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: entryPoints.map(([, path]) => path),
  bundle: true,
  write: false,
  metafile: true,
  platform: "node",
  format: "esm",
  splitting: true,
  outdir: "dist",
  external: ["pg-native"],
  loader: { ".node": "empty" },
  logLevel: "error"
})

const packageOf = (path: string): string | undefined => /^.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1]

const importsOf = (path: string): Metafile["inputs"][string]["imports"] =>
  (metafile.inputs[path]?.imports ?? []).filter(({ kind }) => kind !== "dynamic-import")

/** Every file that is read when this one is imported. */
const filesOf = (entry: string): ReadonlySet<string> => {
  const files = new Set([entry])
  for (const file of files) for (const { external, path } of importsOf(file)) if (external !== true) files.add(path)
  return files
}

const sorted = (names: Iterable<string>): ReadonlyArray<string> => [...new Set(names)].sort()

const importedBy = (entry: string): ReadonlyArray<string> =>
  sorted(
    [...filesOf(entry)]
      .filter((file) => packageOf(file) === undefined)
      .flatMap((file) => importsOf(file).flatMap(({ external, path }) => (external ? path : (packageOf(path) ?? []))))
  )

const isParser = (file: string): boolean => packageOf(file) === "@effect/cli"

const driversOf = (entry: string): ReadonlyArray<string> =>
  sorted([...filesOf(entry)].flatMap((file) => packageOf(file) ?? [])).filter((name) => drivers.has(name))

describe("an entry point", () => {
  it("is in the table", () => {
    expect(entryPoints.map(([name]) => name)).toEqual(Object.keys(imported))
  })

  it.each(entryPoints)("%s imports what the table says", (name, path) => {
    expect(importedBy(path)).toEqual(imported[name])
  })

  it.each(entryPoints)("%s loads no driver and no client", (_name, path) => {
    expect(driversOf(path)).toEqual([])
  })
})

describe("the parser of the command line", () => {
  const parsers = Object.entries(metafile.inputs)
    .filter(([file, { imports }]) => packageOf(file) === undefined && imports.some(({ path }) => isParser(path)))
    .map(([file]) => file)

  it("is imported by files of the app alone", () => {
    expect(parsers).toContain("app/CommandLine.ts")
    expect(parsers.filter((file) => !file.startsWith("app/"))).toEqual([])
  })

  it("is loaded only for arguments", () => {
    expect([...filesOf("app/index.ts")].filter((file) => isParser(file))).toEqual([])
  })
})

describe("an internal module", () => {
  const { resolve } = createRequire(join(root, "package.json"))

  it.each([
    "effect-framework/dist/src/auth/Tokens.js",
    "effect-framework/src/auth/Tokens.ts",
    "effect-framework/auth/Tokens",
    "effect-framework/layers/auth/SqlTrust",
    "effect-framework/layers/auth/index.js",
    "effect-framework/layers",
    "effect-framework/app/CommandLine",
    "effect-framework/create"
  ])("cannot be imported: %s", (name) => {
    expect(() => resolve(name)).toThrow(expect.objectContaining({ code: "ERR_PACKAGE_PATH_NOT_EXPORTED" }))
  })
})
