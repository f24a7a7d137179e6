// The headers of a part of a multipart/form-data body.
import * as MediaType from "../../http/internal/text/MediaType.ts"

/** The name of the field, and of the file when the part is one; the declared media type. */
export interface PartHead {
  readonly name: string
  readonly filename?: string
  readonly type: string
}

type Headers = Readonly<Record<string, string | ReadonlyArray<string>>>

// Browsers encode these three and nothing else: https://html.spec.whatwg.org/#multipart-form-data
const encoded = /%22|%0D|%0A/gi
const decodedAs: Readonly<Record<string, string>> = { "%22": '"', "%0D": "\r", "%0A": "\n" }

// curl escapes a quote by a backslash. Any other backslash is a part of the name.
const unquote = (text: string): string =>
  text.replace(/\\(["\\])/g, "$1").replace(encoded, (code) => decodedAs[code.toUpperCase()] ?? code)

// `filename*=UTF-8''na%C3%AFve.txt` (RFC 5987)
const extended = (text: string): string | undefined => {
  const [charset = "", , value] = text.split("'")
  if (value === undefined || charset.toLowerCase() !== "utf-8") return undefined
  try {
    return decodeURIComponent(value)
  } catch {
    return undefined
  }
}

const isNameEnd = (char: string): boolean => char === "=" || char === ";"

/** The parameters of a header value, in one pass; `undefined` when it is malformed. */
const parameters = (text: string, from: number): Map<string, string> | undefined => {
  const found = new Map<string, string>()
  let at = from
  while (at < text.length) {
    if (text[at] === ";" || text[at] === " " || text[at] === "\t") {
      at++
      continue
    }
    let end = at
    while (end < text.length && !isNameEnd(text[end] ?? "")) end++
    const name = text.slice(at, end).trim().toLowerCase()
    if (text[end] !== "=" || name === "" || found.has(name)) return undefined
    at = end + 1
    if (text[at] === '"') {
      let close = at + 1
      while (close < text.length && text[close] !== '"')
        close += text[close] === "\\" && text[close + 1] === '"' ? 2 : 1
      if (close >= text.length) return undefined
      found.set(name, unquote(text.slice(at + 1, close)))
      at = close + 1
    } else {
      const close = text.indexOf(";", at)
      const stop = close === -1 ? text.length : close
      found.set(name, text.slice(at, stop).trim())
      at = stop
    }
  }
  return found
}

/** The head of a part; `undefined` when it is no part of a form. */
export const parse = (headers: Headers): PartHead | undefined => {
  const { "content-disposition": disposition, "content-type": contentType } = headers
  if (typeof disposition !== "string" || Array.isArray(contentType)) return undefined
  const end = disposition.indexOf(";")
  if (end === -1 || disposition.slice(0, end).trim().toLowerCase() !== "form-data") return undefined
  const given = parameters(disposition, end)
  const name = given?.get("name")
  if (given === undefined || name === undefined) return undefined
  const filename = extended(given.get("filename*") ?? "") ?? given.get("filename")
  const type = MediaType.of(typeof contentType === "string" ? contentType : undefined)
  if (filename === undefined) return { name, type: type === "" ? "text/plain" : type }
  return { name, filename, type: type === "" ? "application/octet-stream" : type }
}

const longestName = 200

/** The last part of a file's name, without control characters and what a file system reads as a path. */
export const baseName = (filename: string): string => {
  const last = filename.slice(Math.max(filename.lastIndexOf("/"), filename.lastIndexOf("\\")) + 1)
  // Control characters, and marks that reverse the reading direction: they hide the true extension.
  const shown = last.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, "").trim()
  // The end holds the extension. `toWellFormed` in effect: no half of a pair is left at the cut.
  const clipped = shown.length > longestName ? shown.slice(-longestName).replace(/^[\udc00-\udfff]/, "") : shown
  return clipped === "." || clipped === ".." ? "" : clipped
}
