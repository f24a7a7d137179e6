// What the site adds to the pages: links that lead out of them, anchors in the reference, links from names to it.
import { existsSync, statSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { exportsOf, links } from "./Names.ts"
import { addressOf, pages, repository, root } from "./Navigation.ts"
import { adviceOn, type Use, usesOf } from "./Uses.ts"

/** A token of markdown-it, as far as it is used here. */
interface Token {
  readonly type: string
  tag: string
  readonly level: number
  content: string
  children: ReadonlyArray<Token> | null
  attrGet: (name: string) => string | null
  attrSet: (name: string, value: string) => void
}

interface State {
  readonly src: string
  readonly tokens: ReadonlyArray<Token>
  readonly env: { readonly path?: string; readonly realPath?: string }
  readonly Token: new (type: string, tag: string, nesting: number) => Token
}

interface Markdown {
  readonly core: { readonly ruler: { push: (name: string, rule: (state: State) => void) => void } }
}

const known = new Set([...pages, "README.md"])

/** Where a link of a file leads: to a page of the site, or to a file of the repository. */
export const resolve = (from: string, target: string): string => {
  if (/^(?:[a-z]+:|#|\/)/.test(target)) return target
  const [file = "", anchor] = target.split("#", 2)
  const path = relative(root, join(root, dirname(from), file))
  if (known.has(path)) return `/${addressOf(path)}${anchor === undefined ? "" : `#${anchor}`}`
  if (!existsSync(join(root, path))) return target
  const kind = statSync(join(root, path)).isDirectory() ? "tree" : "blob"
  return `${repository}/${kind}/main/${path}`
}

const isWritten = (path: string): boolean => path.startsWith("docs/") && !path.startsWith("docs/api/")

const nameOf = (content: string): string => content.replace(/\(.*\)$/, "")

const linked = (state: State, children: ReadonlyArray<Token>, seen: Set<string>): ReadonlyArray<Token> => {
  let depth = 0
  return children.flatMap((token) => {
    if (token.type === "link_open") depth++
    if (token.type === "link_close") depth--
    const name = token.type === "code_inline" && depth === 0 ? nameOf(token.content) : ""
    const target = links.get(name)
    if (target === undefined || seen.has(name)) return [token]
    seen.add(name)
    const open = new state.Token("link_open", "a", 1)
    open.attrSet("href", target)
    return [open, token, new state.Token("link_close", "a", -1)]
  })
}

const text = (state: State, type: "text" | "html_inline", content: string): Token => {
  const token = new state.Token(type, "", 0)
  token.content = content
  return token
}

/** `Shown in Jobs, A job.`, as the last line of what the reference says of a name. */
const told = (state: State, before: string, uses: ReadonlyArray<Use>): ReadonlyArray<Token> => {
  if (uses.length === 0) return []
  const links = uses.flatMap(({ link, text: label }, at) => {
    const open = new state.Token("link_open", "a", 1)
    open.attrSet("href", link)
    return [
      text(state, "text", at === 0 ? "" : ", "),
      open,
      text(state, "text", label),
      new state.Token("link_close", "a", -1)
    ]
  })
  return [
    text(state, "html_inline", '<br><small class="uses">'),
    text(state, "text", `${before} `),
    ...links,
    text(state, "html_inline", "</small>")
  ]
}

const stands = "Stands in "

/** `Stands in Job.make.`, set as the line of the uses is; each name leads to its own place, which only the site has. */
const standing = (state: State, children: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const from = children.findIndex(({ content, type }) => type === "text" && content.startsWith(stands))
  if (from < 0) return children
  const told = children.slice(from)
  told.forEach((token, at) => {
    const target = links.get(told[at + 1]?.content ?? "")
    if (token.type === "link_open" && target !== undefined) token.attrSet("href", target)
  })
  return [
    ...children.slice(0, from),
    text(state, "html_inline", '<small class="uses">'),
    ...told,
    text(state, "html_inline", "</small>")
  ]
}

/** The list items of the reference that are exports get their anchors, in the order of the page, and where they are used. */
const anchored = (state: State): void => {
  const { src, tokens } = state
  const exports = exportsOf(src)
  let at = 0
  tokens.forEach((token, index) => {
    if (token.type !== "list_item_open" || token.level !== 1) return
    if (tokens[index + 2]?.children?.[0]?.type === "text" && tokens[index + 2]?.children?.[1]?.type !== "strong_open")
      return
    const one = exports[at++]
    const inline = tokens[index + 2]
    if (one === undefined || inline === undefined) return
    token.attrSet("id", one.anchor)
    const isError = inline.content.includes("** error")
    inline.children = [
      ...standing(state, inline.children ?? []),
      ...told(state, "What to do:", isError ? adviceOn(one.name) : []),
      ...told(state, "Used in", usesOf(one.module, one.name))
    ]
  })
}

/** The plugin of markdown-it. */
export const plugin = (markdown: Markdown): void =>
  markdown.core.ruler.push("effect-framework", (state) => {
    const file = state.env.realPath ?? state.env.path
    // A title in the front matter is text of no file.
    if (file === undefined) return
    const path = relative(root, file)
    if (path.startsWith("docs/api/") && !path.endsWith("README.md")) anchored(state)
    const seen = new Set<string>()
    state.tokens.forEach((token, index) => {
      // A wide table is scrolled, also by the keyboard.
      if (token.type === "table_open") token.attrSet("tabindex", "0")
      // A heading without a text is none.
      if (token.type === "th_open" && state.tokens[index + 1]?.content === "") {
        for (const at of [index, index + 2]) if (state.tokens[at] !== undefined) state.tokens[at].tag = "td"
      }
      for (const child of token.children ?? []) {
        // Braces in code are not expressions of Vue.
        if (child.type === "code_inline") child.attrSet("v-pre", "")
        const name = child.type === "image" ? "src" : "href"
        const target = child.attrGet(name)
        if (target === null) continue
        // An image becomes an asset of the build, which wants its path.
        if (child.type === "link_open") child.attrSet(name, resolve(path, target))
        else if (!/^[a-z]+:/.test(target)) child.attrSet(name, `/${relative(root, join(root, dirname(path), target))}`)
      }
      if (token.children === null || state.tokens[index - 1]?.type === "heading_open" || !isWritten(path)) return
      token.children = linked(state, token.children, seen)
    })
  })
