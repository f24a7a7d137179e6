// A new project as `npm create` writes it, with its own build and start.
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import { write } from "../../create/Project.ts"
import * as Load from "../Load.ts"
import type { Options } from "../Options.ts"
import { median } from "../Rounds.ts"
import type { Row } from "../Row.ts"
import { processorSeconds, resident } from "./Process.ts"

// V8 gives back what a start has needed in several steps, the last of them within two minutes of rest.
const rest = 120_000

// The packages of this checkout and the framework as it is built here: an install would fetch the same.
const link = (project: string): void => {
  const modules = join(project, "node_modules")
  const packages = readdirSync("node_modules").flatMap((name) =>
    name.startsWith("@") ? readdirSync(join("node_modules", name)).map((part) => join(name, part)) : [name]
  )
  for (const name of packages.filter((one) => !one.startsWith("."))) {
    mkdirSync(join(modules, name, ".."), { recursive: true })
    symlinkSync(resolve("node_modules", name), join(modules, name))
  }
  symlinkSync(resolve("."), join(modules, "effect-framework"))
}

const create = (folder: string): string => {
  execFileSync("npm", ["run", "--silent", "build"], { stdio: "inherit" })
  const project = join(folder, "shop")
  const written = write(project, "*")
  if (written._tag === "Refused") throw new Error(written.reason)
  link(project)
  execFileSync(process.execPath, [resolve("dist/create/main.js"), "build"], { cwd: project, stdio: "inherit" })
  return join(project, "dist", "main.js")
}

export const measure = async ({ quick, rounds }: Options): Promise<ReadonlyArray<Row>> => {
  const folder = mkdtempSync(join(tmpdir(), "bench-project-"))
  try {
    const program = create(folder)
    const seconds: Array<number> = []
    const memory: Array<number> = []
    const start = async (round: number, idle: number) => {
      const env = { PORT: "0", STORAGE_DIR: join(folder, String(round)), FRAMEWORK_ENVIRONMENT: "production" }
      const server = await Load.serve([program], env)
      await fetch(`${server.url}/`).then((response) => response.text())
      seconds.push(processorSeconds(server.pid))
      await setTimeout(idle)
      if (idle > 0) memory.push(resident(server.pid))
      await server.stop()
    }
    // The first start reads the program from the disk.
    await start(0, 0)
    seconds.length = 0
    for (let round = 1; round <= rounds("project"); round++) await start(round, 0)
    await start(rounds("project") + 1, quick ? 5000 : rest)
    const row = (subject: string, value: number, unit: string, bar: number): Row => ({
      subject,
      ours: value,
      peer: undefined,
      unit,
      ratio: value,
      bar,
      better: "lower"
    })
    return [
      row("processor time of a new project until its first response", median(seconds), "s", 1.7),
      row("memory of an idle new project", median(memory), "MiB", 85)
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
