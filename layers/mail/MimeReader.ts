// Reads a message file: its header fields, its text and its HTML. Anything that is no message is read as far as it goes.

/** What a mail program shows. */
export interface ReadMessage {
  readonly from: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Part {
  readonly fields: ReadonlyMap<string, string>
  readonly body: Buffer
}

const maxDepth = 4
const maxParts = 32

const decoderOf = (charset: string): InstanceType<typeof TextDecoder> => {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder("utf-8")
  }
}

const quotedBytes = (text: string): Buffer =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, "")
      .replace(/=([0-9A-Fa-f]{2})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 16))),
    "latin1"
  )

const word = /=\?([\w-]{1,32})\?([BbQq])\?([^?\s]*)\?=/g

const bytesOfWord = (encoding: string, text: string): Buffer =>
  encoding.toLowerCase() === "b" ? Buffer.from(text, "base64") : quotedBytes(text.replaceAll("_", " "))

// A character may be split over two words: the bytes of neighbours are decoded together (RFC 2047 forbids it, mailers do it).
const decodeWords = (value: string): string => {
  const joined = value.replace(/\?=[ \t]+=\?/g, "?==?")
  let shown = ""
  let done = 0
  let pending: { readonly charset: string; readonly bytes: Array<Buffer>; end: number } | undefined
  const flush = () => {
    if (pending !== undefined) shown += decoderOf(pending.charset).decode(Buffer.concat(pending.bytes))
    pending = undefined
  }
  for (const match of joined.matchAll(word)) {
    const [whole, charset = "utf-8", encoding = "b", text = ""] = match
    const bytes = bytesOfWord(encoding, text)
    if (pending !== undefined && pending.end === match.index && pending.charset === charset) {
      pending.bytes.push(bytes)
      pending.end = match.index + whole.length
    } else {
      flush()
      shown += joined.slice(done, match.index)
      pending = { charset, bytes: [bytes], end: match.index + whole.length }
    }
    done = match.index + whole.length
  }
  flush()
  return shown + joined.slice(done)
}

// A quoted string is taken literally: an encoded word in it is not decoded.
const decodeField = (value: string): string => {
  const [quoted, name] = /^"((?:[^"\\]|\\.){0,512})"/.exec(value) ?? []
  return name === undefined ? decodeWords(value) : name.replace(/\\(.)/g, "$1") + value.slice(quoted?.length)
}

const fieldsOf = (head: string): ReadonlyMap<string, string> => {
  const fields = new Map<string, string>()
  for (const line of head.replace(/\r?\n[ \t]+/g, " ").split(/\r?\n/)) {
    const at = line.indexOf(":")
    const name = line.slice(0, at).toLowerCase()
    if (at > 0 && !fields.has(name)) fields.set(name, line.slice(at + 1).trim())
  }
  return fields
}

const split = (bytes: Buffer): Part => {
  const end = ["\r\n\r\n", "\n\n"].map((gap) => [bytes.indexOf(gap), gap.length] as const).filter(([at]) => at >= 0)
  const [at, length] = end.sort(([a], [b]) => a - b)[0] ?? [bytes.length, 0]
  return { fields: fieldsOf(bytes.toString("latin1", 0, at)), body: bytes.subarray(at + length) }
}

const parameter = (type: string, name: string): string | undefined => {
  const [, quoted, bare] = new RegExp(`;\\s*${name}=(?:"([^"]{1,200})"|([^\\s;"]{1,200}))`, "i").exec(type) ?? []
  return quoted ?? bare
}

const typeOf = ({ fields }: Part): string => fields.get("content-type") ?? "text/plain"

const contentOf = (part: Part): string => {
  const encoding = part.fields.get("content-transfer-encoding")?.toLowerCase()
  const raw = part.body.toString("latin1")
  const bytes =
    encoding === "base64" ? Buffer.from(raw, "base64") : encoding === "quoted-printable" ? quotedBytes(raw) : part.body
  const text = decoderOf(parameter(typeOf(part), "charset") ?? "utf-8").decode(bytes)
  return text.replaceAll("\r\n", "\n")
}

const partsOf = ({ body }: Part, boundary: string): ReadonlyArray<Part> => {
  const [, ...rest] = `\n${body.toString("latin1")}`.split(`\n--${boundary}`)
  const inner = rest.slice(0, maxParts).filter((text) => !text.startsWith("--"))
  return inner.map((text) => split(Buffer.from(text.replace(/^\r?\n/, "").replace(/\r$/, ""), "latin1")))
}

/** The first part of this type, at any depth. */
const find = (part: Part, type: string, depth = 0): string | undefined => {
  const own = typeOf(part).toLowerCase()
  const boundary = own.startsWith("multipart/") ? parameter(typeOf(part), "boundary") : undefined
  if (boundary === undefined) return own.startsWith(type) ? contentOf(part) : undefined
  if (depth >= maxDepth) return undefined
  for (const inner of partsOf(part, boundary)) {
    const found = find(inner, type, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

/** The message of a file, or of its first bytes. */
export const read = (bytes: Buffer): ReadMessage => {
  const whole = split(bytes)
  const field = (name: string): string => decodeField(Buffer.from(whole.fields.get(name) ?? "", "latin1").toString())
  return {
    from: field("from"),
    to: field("to"),
    subject: field("subject"),
    text: find(whole, "text/plain") ?? "",
    html: find(whole, "text/html") ?? ""
  }
}
