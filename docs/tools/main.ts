// Writes what is generated in `docs`: `npm run reference` and `npm run pictures`.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Exports from "./Exports.ts"
import * as Reference from "./Reference.ts"
import * as Surface from "./Surface.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))

const usage = `Usage: tsx docs/tools/main.ts reference | pictures

  reference   writes docs/api from the comments and types of the entry points, and the list of public names
  pictures    takes docs/pictures from the running demo; needs Chromium, or CHROMIUM_PATH
`

const reference = (): string => {
  const folder = join(root, "docs", "api")
  const entries = Exports.read(root)
  const pages = new Map([...Reference.pages(entries), ["surface.txt", Surface.text(entries)]])
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

const commands: Readonly<Record<string, () => string | Promise<string>>> = { reference, pictures }

const [name = "", ...others] = process.argv.slice(2)
const command = commands[name]
const asksHelp = [name, ...others].some((word) => word === "--help" || word === "-h")

if (asksHelp) process.stdout.write(usage)
else if (command === undefined) {
  process.stderr.write(usage)
  process.exitCode = 2
} else process.stdout.write(`${await command()}\n`)
