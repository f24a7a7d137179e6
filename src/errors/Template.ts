// A page of the project as text with marks: `{{ status }}`, `{{ text }}`, `{{ message }}`, each escaped.
import { Either } from "effect"
import { escape } from "../http/Html.ts"
import type { Facts } from "./Views.ts"

/** Fills the marks of a page in, each value escaped. */
export type Render = (facts: Facts) => string

const mark = /\{\{\s*(\w*)\s*\}\}/g
const names: ReadonlyArray<keyof Facts> = ["status", "text", "message"]

const inline = (name: "style" | "script"): RegExp => new RegExp(`<${name}\\b[^>]*>([\\s\\S]*?)</${name}\\s*>`, "gi")

/** The texts of the inline styles or scripts, for the hashes that let them in. */
export const inlined = (text: string, name: "style" | "script"): ReadonlyArray<string> =>
  [...text.matchAll(inline(name))].map((match) => match[1] ?? "").filter((content) => content !== "")

/** The page, or why it is none. */
export const parse = (text: string): Either.Either<Render, string> => {
  // Escaping for HTML is not enough inside of code, and a changing text has no hash.
  for (const content of [...inlined(text, "style"), ...inlined(text, "script")]) {
    if (content.includes("{{")) return Either.left("a mark inside of a style or a script is not filled in")
  }
  const literals: Array<string> = []
  const marks: Array<keyof Facts> = []
  let at = 0
  for (const match of text.matchAll(mark)) {
    const name = names.find((known) => known === match[1])
    if (name === undefined) return Either.left(`{{ ${match[1]} }} is not one of ${names.join(", ")}`)
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
