// `effect-framework dev`: bundles the program's own files, runs the result, and starts it again after each change.
import type * as Esbuild from "esbuild"
import { type ChildProcess, spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { clear, esbuildOf } from "./Bundle.ts"
import * as DevelopmentPackages from "./DevelopmentPackages.ts"

/** How long a program may take to end before it is killed. */
const patience = 5_000

// In the project, so that packages are found from there, and the error pages may show its sources.
const output = "dist/dev"

const ownFiles = /\.[cm]?tsx?$/

// A file finds what lies beside it by its own address, not by that of the bundle.
const addresses: Esbuild.Plugin = {
  name: "addresses",
  setup: ({ onLoad }) =>
    onLoad({ filter: ownFiles }, ({ path }) => {
      const text = readFileSync(path, "utf8")
      if (!text.includes("import.meta.")) return undefined
      const contents = text
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
        .replaceAll("import.meta.dirname", JSON.stringify(dirname(path)))
        .replaceAll("import.meta.filename", JSON.stringify(path))
      return { contents, loader: path.endsWith("x") ? "tsx" : "ts" }
    })
}

/** One program at a time: the next begins when the one before has ended, and so has released its port. */
const runner = (main: string, args: ReadonlyArray<string>) => {
  let running: ChildProcess | undefined
  let isStopped = false
  let last: Promise<void> = Promise.resolve()

  const end = (child: ChildProcess): Promise<void> =>
    new Promise((done) => {
      if (child.exitCode !== null || child.signalCode !== null) return done()
      const kill = setTimeout(() => child.kill("SIGKILL"), patience)
      child.once("exit", () => {
        clearTimeout(kill)
        done()
      })
      child.kill("SIGTERM")
    })

  const begin = (): void => {
    const child = spawn(process.execPath, [main, ...args], {
      stdio: "inherit",
      env: { FRAMEWORK_ENVIRONMENT: "development", ...process.env }
    })
    running = child
    child.once("exit", (code, signal) => {
      if (running === child) process.stderr.write(`The program has ended (${signal ?? code}). Waiting for a change.\n`)
    })
  }

  const stop = async (): Promise<void> => {
    const child = running
    running = undefined
    if (child !== undefined) await end(child)
  }

  return {
    /** For good: a build that ends later starts nothing. */
    stop: () => {
      isStopped = true
      return (last = last.then(stop))
    },
    restart: () => (last = last.then(stop).then(() => (isStopped ? undefined : begin())))
  }
}

/** Serves the program whose main file this is until it is told to stop; the exit status. */
export const develop = async (entry: string, args: ReadonlyArray<string>, folder: string): Promise<number> => {
  const esbuild = esbuildOf(folder)
  if (esbuild === undefined) return 1
  const outdir = resolve(folder, output)
  const program = runner(join(outdir, basename(entry).replace(/\.[cm]?tsx?$/, ".js")), args)
  const packages = DevelopmentPackages.make(esbuild, folder, outdir)
  const results: Esbuild.Plugin = {
    name: "results",
    setup: ({ onEnd }) =>
      onEnd(async (result) => {
        const errors = result.errors.length === 0 ? await packages.ensure() : result.errors
        if (errors.length === 0) return void program.restart()
        const color = process.stderr.isTTY
        const messages = await esbuild.formatMessages([...errors], { kind: "error", color })
        process.stderr.write(`${messages.join("").trimEnd()}\n`)
      })
  }
  clear(outdir)
  const context = await esbuild.context({
    absWorkingDir: folder,
    entryPoints: [entry],
    outdir,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    // What is imported later stays a file of its own, and its packages are loaded when it is.
    splitting: true,
    sourcemap: "linked",
    logLevel: "silent",
    plugins: [addresses, packages.plugin, results]
  })
  const stopped = new Promise<void>((done) => {
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => done())
  })
  await context.watch()
  await stopped
  const ended = program.stop()
  await context.dispose()
  await ended
  return 0
}
