// Parses a MIME message as a mail client does: header fields, then the two decoded parts.

export interface Mail {
  /** Names in lower case, in their order, with the unfolded and decoded value. */
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly header: (name: string) => string | undefined
  readonly text: string
  readonly html: string
}

// A quoted string is taken literally: an encoded word in it is not decoded (RFC 2047).
const decode = (value: string): string => {
  const quoted = /^"((?:[^"\\]|\\.)*)" /.exec(value)
  const name = quoted?.[1]?.replace(/\\(.)/g, "$1")
  return name === undefined ? decodeWords(value) : `${name} ${value.slice(quoted?.[0].length)}`
}

const decodeWords = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?UTF-8\?B\?([A-Za-z0-9+/=]*)\?=/gi, (_, base64: string) => Buffer.from(base64, "base64").toString())

const fields = (head: string): ReadonlyArray<readonly [string, string]> =>
  head
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n")
    .map((line) => {
      const at = line.indexOf(":")
      return [line.slice(0, at).toLowerCase(), decode(line.slice(at + 1).trim())] as const
    })

const split = (text: string): readonly [string, string] => {
  const at = text.indexOf("\r\n\r\n")
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 4)]
}

const body = (part: string): string => {
  const [head, content] = split(part)
  const encoding = new Map(fields(head)).get("content-transfer-encoding")
  const decoded = encoding === "base64" ? Buffer.from(content, "base64").toString() : content
  return decoded.replaceAll("\r\n", "\n")
}

export const parseMail = (raw: string): Mail => {
  const [head, content] = split(raw)
  const headers = fields(head)
  const header = (name: string) => headers.find(([key]) => key === name.toLowerCase())?.[1]
  const boundary = /boundary="([^"]+)"/.exec(header("content-type") ?? "")?.[1] ?? ""
  const [, text = "", html = ""] = `\r\n${content}`.split(`\r\n--${boundary}`).map((part) => part.replace(/^\r\n/, ""))
  return { headers, header, text: body(text), html: body(html) }
}
