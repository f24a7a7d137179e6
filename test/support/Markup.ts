// A strict reader of markup, for tests that compare what a page is made of and not how it is written.

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Array<Element | string>
}

const empty = new Set(["meta", "link", "br", "img", "input", "hr"])
const raw = new Set(["style", "script"])
const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" }

const decode = (text: string): string => text.replace(/&(\w+|#39);/g, (whole, name: string) => entities[name] ?? whole)

const tag = /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*(\/?)>/y
const attribute = /([a-zA-Z-]+)(?:="([^"]*)")?/g

const attributesOf = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(attribute)].map(([, name = "", value = ""]) => [name, decode(value)]))

/** The tree of a document. Fails on anything that a browser would have to guess about. */
export const parse = (document: string): Element => {
  const root: Element = { name: "", attributes: {}, children: [] }
  const open: Array<Element> = [root]
  const top = (): Element => open.at(-1) ?? root
  let at = document.startsWith("<!doctype html>") ? "<!doctype html>".length : 0
  while (at < document.length) {
    const next = document.indexOf("<", at)
    const text = document.slice(at, next < 0 ? document.length : next)
    if (/>/.test(text)) throw new Error(`a stray > in ${JSON.stringify(text.slice(0, 80))}`)
    if (text.trim() !== "") top().children.push(decode(text))
    if (next < 0) break
    tag.lastIndex = next
    const match = tag.exec(document)
    if (match === null) throw new Error(`not a tag: ${JSON.stringify(document.slice(next, next + 80))}`)
    const [whole, closing, name = "", attributes = "", self] = match
    at = next + whole.length
    if (closing === "/") {
      if (top().name !== name) throw new Error(`</${name}> closes <${top().name}>`)
      open.pop()
      continue
    }
    const element: Element = { name, attributes: attributesOf(attributes), children: [] }
    top().children.push(element)
    if (raw.has(name)) {
      const end = document.indexOf(`</${name}>`, at)
      element.children.push(document.slice(at, end))
      at = end + name.length + 3
    } else if (!empty.has(name) && self !== "/") open.push(element)
  }
  if (open.length !== 1) throw new Error(`<${top().name}> is not closed`)
  return root
}

/** Every element, depth first. */
export const elements = (root: Element): ReadonlyArray<Element> => [
  root,
  ...root.children.flatMap((child) => (typeof child === "string" ? [] : elements(child)))
]

/** The text of an element and of all inside it, as a reader sees it. */
export const text = (element: Element): string =>
  element.children
    .filter((child) => typeof child === "string" || !raw.has(child.name))
    .map((child) => (typeof child === "string" ? child : text(child)))
    .join("")

/** What the page is made of, without its texts: elements, the names of their attributes, the values that are ours. */
export const outline = (element: Element): unknown => [
  element.name,
  Object.keys(element.attributes),
  element.attributes["class"] ?? "",
  element.attributes["id"] ?? "",
  raw.has(element.name) ? element.children : [],
  element.children.flatMap((child) => (typeof child === "string" ? [] : [outline(child)]))
]
