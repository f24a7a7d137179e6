// The package as users install it: built and packed from a copy, then a new project from the tarball.
import { execFile, spawn } from "node:child_process"
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { promisify } from "node:util"
import { root } from "./Demo.ts"

export const run = promisify(execFile)

// Built in a copy, so that one run of the tests does not delete `dist` while another uses it.
const copied = [
  "package.json",
  "tsconfig.json",
  "tsconfig.build.json",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "docs",
  "src",
  "layers",
  "routes",
  "testing",
  "cli",
  "template",
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

export const pack = async (): Promise<Packed> => {
  const folder = mkdtempSync(join(tmpdir(), "effect-framework-package-"))
  const source = join(folder, "source")
  for (const name of copied) cpSync(join(root, name), join(source, name), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(source, "node_modules"))
  const { stdout } = await run("npm", ["pack", "--json", "--pack-destination", folder], { cwd: source })
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
  return join(folder, "package", "dist", "cli", "main.js")
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
  readonly stop: () => Promise<void>
}

/** Runs a script of a project until it prints its address. */
export const serve = (project: string, script: string): Promise<Served> => listening(project, "npm", ["run", script])

/** Runs a file with plain Node until it prints its address. */
export const serveFile = (project: string, file: string): Promise<Served> =>
  listening(project, process.execPath, [file])

const listening = (project: string, command: string, words: ReadonlyArray<string>): Promise<Served> =>
  new Promise((resolve, reject) => {
    const env = { ...process.env, PORT: "0" }
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
        if (url !== undefined) resolve({ url, stop })
      })
    }
    void ended.then(() => reject(new Error(`${command} ${words.join(" ")} ended:\n${said.join("\n")}`)))
  })
