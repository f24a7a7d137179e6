// The chapters of the tutorial as a reader follows them: files to write, files to remove, and what the screen shows.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root } from "../support/Demo.ts"
import { type Page, page } from "./Pages.ts"

export const folder = "docs/tutorial"

export const chapters: ReadonlyArray<Page> = readdirSync(join(root, folder))
  .sort()
  .map((name) => page(`${folder}/${name}`))

/** A file that a chapter shows whole. */
export interface Shown {
  readonly path: string
  readonly state: string
  /** The lines that differ from the chapter before, as the site marks them: `3-5,9`. */
  readonly marks: string
  readonly text: string
}

const named = /^`(\S+)`, (new|changed):\n\n```ts(?: \{([\d,-]+)\})?\n([^]*?)^```$/gm

export const filesOf = ({ text }: Page): ReadonlyArray<Shown> =>
  Array.from(text.matchAll(named), ([, path = "", state = "", marks = "", text = ""]) => ({ path, state, marks, text }))

/** The lines of a text that are not in the one before, such as `3-5,9`: as few as there can be. */
export const changedLines = (before: string, after: string): string => {
  const [old, now] = [before.split("\n"), after.split("\n")]
  // The longest common part of the rest of both, from each pair of lines on.
  const common = Array.from({ length: old.length + 1 }, () => Array.from({ length: now.length + 1 }, () => 0))
  const at = (i: number, j: number): number => common[i]?.[j] ?? 0
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      const row = common[i]
      if (row !== undefined) row[j] = old[i] === now[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const marked: Array<number> = []
  for (let i = 0, j = 0; j < now.length;) {
    if (i < old.length && old[i] === now[j]) {
      i++
      j++
    } else if (i < old.length && at(i + 1, j) >= at(i, j + 1)) i++
    else marked.push(++j)
  }
  const ranges: Array<readonly [number, number]> = []
  for (const line of marked) {
    const last = ranges.at(-1)
    if (last?.[1] === line - 1) ranges[ranges.length - 1] = [last[0], line]
    else ranges.push([line, line])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",")
}

/** The blocks of code that stand below no name of a file. */
export const unnamed = (chapter: Page): number =>
  chapter.blocks.filter(({ language }) => language === "ts").length - filesOf(chapter).length

/** The lines of the blocks in this language, without what continues them. */
export const linesOf = ({ blocks }: Page, language: string): ReadonlyArray<string> =>
  blocks
    .filter((block) => block.language === language)
    .flatMap(({ text }) => text.split("\n").map((line) => line.trim()))
    .filter((line) => line !== "")

/** Removes what `rm` of a chapter names, but folders. */
export const remove = (project: string, chapter: Page): void => {
  for (const line of linesOf(chapter, "sh")) {
    const [name, ...paths] = line.split(" ")
    if (name !== "rm" || paths.includes("-rf")) continue
    for (const path of paths) rmSync(join(project, path))
  }
}

/** Writes the files of a chapter; what is wrong with the name of one. */
export const write = (project: string, chapter: Page): ReadonlyArray<string> =>
  filesOf(chapter).flatMap(({ marks, path, state, text }) => {
    const file = join(project, path)
    const before = existsSync(file) ? readFileSync(file, "utf8") : undefined
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    if ((state === "new") !== (before === undefined)) return [`${chapter.path}: ${path} is not ${state}`]
    if (before === text) return [`${chapter.path}: ${path} is as it was`]
    const changed = before === undefined ? "" : changedLines(before, text)
    return marks === changed ? [] : [`${chapter.path}: ${path} is to be marked with ts {${changed}}`]
  })
