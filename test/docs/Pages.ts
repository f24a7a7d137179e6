// The documentation as a reader meets it: pages with blocks, tables and headings.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../support/Demo.ts"

/** A fenced block of a page. */
export interface Block {
  /** Where it is, for whoever has to mend it: `docs/mail.md:40`. */
  readonly place: string
  readonly language: string
  readonly text: string
  /** Whether nothing but blank lines stands between it and the block before it. */
  readonly follows: boolean
}

export interface Page {
  readonly path: string
  readonly text: string
  readonly blocks: ReadonlyArray<Block>
}

const fence = /^```([^\n]*)\n([^]*?)^```$/gm

const blocksOf = (path: string, text: string): ReadonlyArray<Block> => {
  let end = -1
  return Array.from(text.matchAll(fence), (found) => {
    const [whole, language = "", body = ""] = found
    const place = `${path}:${text.slice(0, found.index).split("\n").length}`
    const follows = end >= 0 && text.slice(end, found.index).trim() === ""
    end = found.index + whole.length
    // Behind the language stand the lines that are marked: `ts {3-5}`.
    return { place, language: language.trim().split(" ")[0] ?? "", text: body, follows }
  })
}

export const read = (path: string): string => readFileSync(join(root, path), "utf8")

export const page = (path: string): Page => {
  const text = read(path)
  return { path, text, blocks: blocksOf(path, text) }
}

/** The README, the page for assistants and the pages of `docs`, written by hand. */
export const pages: ReadonlyArray<Page> = [
  "README.md",
  "AGENTS.md",
  ...["docs", "docs/recipes", "docs/tutorial"].flatMap((folder) =>
    readdirSync(join(root, folder)).flatMap((name) => (name.endsWith(".md") ? [`${folder}/${name}`] : []))
  )
].map(page)

/** The rows of all tables of a text, cell by cell. */
export const rows = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  text
    .split("\n")
    .filter((line) => line.startsWith("|") && !/^[|\s:-]+$/.test(line))
    .map((line) =>
      line
        .slice(1, line.lastIndexOf("|"))
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim())
    )

/** The words of a cell that are set as code. */
export const code = (cell: string): ReadonlyArray<string> =>
  Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = ""]) => name)
