// A value as XML: fields are elements, lists hold `item` elements, null has a `nil` attribute, so that every text stays distinct from it.

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;"
}

// Characters that XML 1.0 cannot hold in any spelling; a document with one of them is refused as a whole.
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const forbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

const escape = (text: string): string =>
  text.replace(forbidden, "\ufffd").replace(/[&<>"\r]/g, (char) => entities[char] ?? char)

const isName = /^[A-Za-z_][\w.-]*$/

const element = (name: string, value: unknown): string => {
  const [start, end] = isName.test(name) ? [name, name] : [`field name="${escape(name)}"`, "field"]
  if (value === null || value === undefined) return `<${start} nil="true"/>`
  return `<${start}>${content(value)}</${end}>`
}

const content = (value: unknown): string => {
  if (Array.isArray(value)) return value.map((item) => element("item", item)).join("")
  if (typeof value !== "object" || value === null) return escape(String(value))
  return Object.entries(value)
    .map(([name, field]) => element(name, field))
    .join("")
}

/** The document whose root has this name. */
export const print = (root: string, value: unknown): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, value)}\n`
