// The template of an error page. Placeholders: `{{ status }}`, `{{ text }}`, `{{ message }}`, `{{ id }}`; values are escaped.
// `{{ include head }}` stands for the file `_head.html` beside it.
import { Either } from "effect"
import { escape } from "../../http/internal/text/Escape.ts"
import type { PageData } from "../ErrorPages.ts"

/** Renders a page; values are escaped. */
type Render = (data: PageData) => string

const mark = /\{\{([^{}]*)\}\}/g
const word = /^\w*$/
type Name = "status" | "text" | "message" | "id"
const names: ReadonlyArray<Name> = ["status", "text", "message", "id"]

const opening = (name: string): RegExp => new RegExp(`<${name}\\b`, "gi")
const closing = (name: string): RegExp => new RegExp(`</${name}(?=[\\s>])`, "gi")

/** The contents of the inline styles or scripts, for their hashes in the policy. */
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

const inclusion = /^include\b/
const partialName = /^include\s+([a-z0-9-]{1,64})$/

/**
 * The text with the partials that it includes, by name; or why it is invalid. A partial includes no other, so there is no
 * recursion, and a name is no path.
 */
export const include = (text: string, partials: ReadonlyMap<string, string>): Either.Either<string, string> => {
  let whole = ""
  let at = 0
  for (const match of text.matchAll(mark)) {
    const given = (match[1] ?? "").trim()
    if (!inclusion.test(given)) continue
    const [, name = ""] = partialName.exec(given) ?? []
    const partial = partials.get(name)
    if (name === "")
      return Either.left(`{{ ${given} }} does not name a file of this folder, as {{ include head }} does`)
    if (partial === undefined) return Either.left(`{{ ${given} }}: there is no _${name}.html in this folder`)
    if (hasInclusion(partial)) return Either.left(`_${name}.html includes another file, which is not supported`)
    whole += text.slice(at, match.index) + partial
    at = match.index + match[0].length
  }
  return Either.right(whole + text.slice(at))
}

const hasInclusion = (text: string): boolean =>
  Array.from(text.matchAll(mark)).some(([, given = ""]) => inclusion.test(given.trim()))

/** The compiled page, or why the template is invalid. */
export const parse = (text: string): Either.Either<Render, string> => {
  // Escaping for HTML does not protect inside code, and a changing text has no fixed hash.
  for (const content of [...inlined(text, "style"), ...inlined(text, "script")]) {
    if (content.includes("{{")) return Either.left("a placeholder inside a style or a script is not supported")
  }
  const literals: Array<string> = []
  const marks: Array<Name> = []
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
  return Either.right((data) => {
    let page = ""
    for (let index = 0; index < marks.length; index++) {
      page += (literals[index] ?? "") + escape(String(data[marks[index] ?? "text"] ?? ""))
    }
    return page + last
  })
}

/** Allows files of this site and the inline styles and scripts with these hashes, such as `'sha256-…'`. */
export const pagePolicy = (styles: ReadonlyArray<string> = [], scripts: ReadonlyArray<string> = []): string =>
  `default-src 'none'; style-src ${["'self'", ...styles].join(" ")}; script-src ${["'self'", ...scripts].join(" ")}; ` +
  "img-src 'self' data:; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
