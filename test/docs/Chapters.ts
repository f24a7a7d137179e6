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
  readonly text: string
}

const named = /^`(\S+)`, (new|changed):\n\n```ts\n([^]*?)^```$/gm

export const filesOf = ({ text }: Page): ReadonlyArray<Shown> =>
  Array.from(text.matchAll(named), ([, path = "", state = "", text = ""]) => ({ path, state, text }))

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
  filesOf(chapter).flatMap(({ path, state, text }) => {
    const file = join(project, path)
    const before = existsSync(file) ? readFileSync(file, "utf8") : undefined
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
    if ((state === "new") !== (before === undefined)) return [`${chapter.path}: ${path} is not ${state}`]
    return before === text ? [`${chapter.path}: ${path} is as it was`] : []
  })
