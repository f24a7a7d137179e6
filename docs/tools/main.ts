// Writes what is generated in `docs`: `npm run reference`, `npm run pictures` and `npm run traces`.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Exports from "./Exports.ts"
import * as Mentions from "./Mentions.ts"
import * as Reference from "./Reference.ts"
import * as Surface from "./Surface.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const usage = `Usage: tsx docs/tools/main.ts reference | pictures | traces

  reference   writes docs/api from the comments and types of the entry points, and the list of public names
  pictures    takes docs/pictures from the running demo; needs Chromium, or CHROMIUM_PATH
  traces      records traces of the running demo and draws those of docs/tracing.md; needs Chromium as well
`

const reference = (): string => {
  const folder = join(root, "docs", "api")
  const program = Exports.compile(root)
  const entries = Exports.read(root, program)
  const { mentioned } = Mentions.read(root, program)
  const pages = new Map([...Reference.pages(entries, mentioned), ["surface.txt", Surface.text(entries)]])
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (!pages.has(name)) rmSync(join(folder, name))
  for (const [name, text] of pages) writeFileSync(join(folder, name), text)
  const silent = Reference.silent(entries)
  return [
    `${pages.size} files in docs/api`,
    ...silent.map((name) => `without a sentence: ${name}`),
    `${Surface.names(entries).length} public names`
  ].join("\n")
}

const pictures = async (): Promise<string> => {
  const { take } = await import("./Pictures.ts")
  return take(root, join(root, "docs", "pictures"))
}

const traces = async (): Promise<string> => {
  const [{ record }, { fromSources }, TracePicture] = await Promise.all([
    import("./Traces.ts"),
    import("./RunningDemo.ts"),
    import("./TracePicture.ts")
  ])
  const recorded = await record(fromSources(root))
  const folder = join(root, "docs", "pictures")
  writeFileSync(join(folder, "traces.json"), `${JSON.stringify(recorded, null, 2)}\n`)
  recorded.forEach((trace, index) => writeFileSync(join(folder, TracePicture.file(index)), TracePicture.render(trace)))
  return `${recorded.length} traces in docs/pictures`
}

const commands: Readonly<Record<string, () => string | Promise<string>>> = { reference, pictures, traces }

const [name = "", ...others] = process.argv.slice(2)
const command = commands[name]
const asksHelp = [name, ...others].some((word) => word === "--help" || word === "-h")

if (asksHelp) process.stdout.write(usage)
else if (command === undefined) {
  process.stderr.write(usage)
  process.exitCode = 2
} else process.stdout.write(`${await command()}\n`)
