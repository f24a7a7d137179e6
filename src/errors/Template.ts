// A page of the project as text with marks: `{{ status }}`, `{{ text }}`, `{{ message }}`, each escaped.
import { Either } from "effect"
import { escape } from "../http/Html.ts"
import type { PageData } from "./ErrorPages.ts"

/** Fills the marks of a page in, each value escaped. */
export type Render = (facts: PageData) => string

const mark = /\{\{([^{}]*)\}\}/g
const word = /^\w*$/
const names: ReadonlyArray<keyof PageData> = ["status", "text", "message"]

const opening = (name: string): RegExp => new RegExp(`<${name}\\b`, "gi")
const closing = (name: string): RegExp => new RegExp(`</${name}(?=[\\s>])`, "gi")

/** The texts of the inline styles or scripts, for the hashes that let them in. */
export const inlined = (text: string, name: "style" | "script"): ReadonlyArray<string> => {
  const [open, close] = [opening(name), closing(name)]
  const found: Array<string> = []
  while (open.test(text)) {
    const start = text.indexOf(">", open.lastIndex) + 1
    close.lastIndex = start
    const end = start === 0 ? null : close.exec(text)
    if (end === null) break
    if (end.index > start) found.push(text.slice(start, end.index))
    open.lastIndex = close.lastIndex
  }
  return found
}

/** The page, or why it is none. */
export const parse = (text: string): Either.Either<Render, string> => {
  // Escaping for HTML is not enough inside of code, and a changing text has no hash.
  for (const content of [...inlined(text, "style"), ...inlined(text, "script")]) {
    if (content.includes("{{")) return Either.left("a mark inside of a style or a script is not filled in")
  }
  const literals: Array<string> = []
  const marks: Array<keyof PageData> = []
  let at = 0
  for (const match of text.matchAll(mark)) {
    const given = (match[1] ?? "").trim()
    if (!word.test(given)) continue
    const name = names.find((known) => known === given)
    if (name === undefined) return Either.left(`{{ ${given} }} is not one of ${names.join(", ")}`)
    literals.push(text.slice(at, match.index))
    marks.push(name)
    at = match.index + match[0].length
  }
  const last = text.slice(at)
  return Either.right((facts) => {
    let page = ""
    for (let index = 0; index < marks.length; index++) {
      page += (literals[index] ?? "") + escape(String(facts[marks[index] ?? "text"]))
    }
    return page + last
  })
}
