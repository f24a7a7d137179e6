// The package as users install it: built and packed from a copy, then a new project from the tarball.
import { execFile, spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { isCurrent } from "./Built.ts"
import { root } from "./Demo.ts"
import { once } from "./Once.ts"

export const run = promisify(execFile)

// Built in a copy, so that one run of the tests does not delete `dist` while another uses it.
const copied = [
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "AGENTS.md",
  "docs",
  "src",
  "layers",
  "routes",
  "testing",
  "app",
  "create",
  "template",
  "examples",
  "demo"
]

export interface Packed {
  /** A folder that holds the tarball, and what else a test puts there. */
  readonly folder: string
  /** The tarball's file name. */
  readonly tarball: string
  /** What is in it. */
  readonly paths: ReadonlyArray<string>
  readonly remove: () => void
}

interface Shared extends Pick<Packed, "paths" | "tarball"> {
  readonly shared: string
}

/** The framework itself, in a folder of its own. It is packed once a run: the first test file that asks does, others wait. */
export const pack = async (): Promise<Packed> => {
  const text = await once("packed", async (shared) => {
    // `.ci/run` builds before it tests; whoever only tests has an older `dist` or none.
    const { folder, paths, tarball } = await (isCurrent(root)
      ? packFrom("", [...copied, "dist"], ["--ignore-scripts"])
      : packFrom("", copied))
    cpSync(join(folder, tarball), join(shared, tarball))
    rmSync(folder, { recursive: true })
    return JSON.stringify({ shared, paths, tarball })
  })
  const { paths, shared, tarball }: Shared = JSON.parse(text)
  const folder = mkdtempSync(join(tmpdir(), "effect-framework-package-"))
  cpSync(join(shared, tarball), join(folder, tarball))
  return { folder, tarball, paths, remove: () => rmSync(folder, { recursive: true, force: true }) }
}

/** The package that `npm create effect-framework` runs. */
export const packCreate = (): Promise<Packed> => packFrom("create", ["package.json", "LICENSE", "create", "template"])

const packFrom = async (
  part: string,
  names: ReadonlyArray<string>,
  options: ReadonlyArray<string> = []
): Promise<Packed> => {
  const folder = mkdtempSync(join(tmpdir(), "effect-framework-package-"))
  const source = join(folder, "source")
  for (const name of names) cpSync(join(root, name), join(source, name), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(source, "node_modules"))
  const words = ["pack", "--json", "--pack-destination", folder, ...options]
  const { stdout } = await run("npm", words, { cwd: join(source, part) })
  const [packed] = JSON.parse(stdout.slice(stdout.indexOf("["))) as ReadonlyArray<{
    readonly filename: string
    readonly files: ReadonlyArray<{ readonly path: string }>
  }>
  rmSync(source, { recursive: true })
  return {
    folder,
    tarball: packed?.filename ?? "",
    paths: packed?.files.map(({ path }) => path) ?? [],
    remove: () => rmSync(folder, { recursive: true, force: true })
  }
}

/** Unpacks the tarball without installing anything; the path of its command. */
export const unpack = async ({ folder, tarball }: Packed): Promise<string> => {
  await run("tar", ["-xzf", tarball], { cwd: folder })
  const { bin }: { readonly bin: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(folder, "package", "package.json"), "utf8")
  )
  return join(folder, "package", Object.values(bin)[0] ?? "")
}

/** Installs a project; returns npm's warnings. */
export const install = async (project: string): Promise<string> => {
  const options = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"]
  const { stderr } = await run("npm", ["install", ...options], { cwd: project })
  // Compiling the SQLite driver again would take minutes: the compiled one of this checkout is copied.
  const binary = join("node_modules", "better-sqlite3", "build", "Release")
  mkdirSync(join(project, binary), { recursive: true })
  cpSync(join(root, binary, "better_sqlite3.node"), join(project, binary, "better_sqlite3.node"))
  return stderr
}

export interface Served {
  readonly url: string
  /** The lines that it has printed so far. */
  readonly said: ReadonlyArray<string>
  readonly stop: () => Promise<void>
}

/** Runs a script of a project until it prints its address. */
export const serve = (project: string, script: string, env: Readonly<Record<string, string>> = {}): Promise<Served> =>
  listening(project, "npm", ["run", script], env)

/** Runs a file with plain Node until it prints its address. */
export const serveFile = (project: string, file: string): Promise<Served> =>
  listening(project, process.execPath, [file], {})

const listening = (
  project: string,
  command: string,
  words: ReadonlyArray<string>,
  given: Readonly<Record<string, string>>
): Promise<Served> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, PORT: "0", ...given }
    // A group of its own: npm passes no signal on to what it runs.
    const child = spawn(command, words, {
      cwd: project,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"]
    })
    const said: Array<string> = []
    const ended = new Promise<void>((done) => child.once("close", () => done()))
    const stop = () => {
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM")
      return ended
    }
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on("line", (line) => {
        said.push(line)
        const [, url] = /listening on (http:\S+)/.exec(line) ?? []
        if (url !== undefined) resolve({ url, said, stop })
      })
    }
    void ended.then(() => reject(new Error(`${command} ${words.join(" ")} ended:\n${said.join("\n")}`)))
  })
