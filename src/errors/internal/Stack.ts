// Parses the frames of a stack. The header is removed first, so that a message cannot inject frames.

/** One line of a stack. */
export interface Frame {
  /** A line of code, or an Effect span that was open there. */
  readonly kind: "code" | "span"
  readonly call: string
  /** A path, a `node:` module, or an empty string when it is unknown. */
  readonly file: string
  readonly line: number
  readonly column: number
}

/** At most this many frames of one throwable are shown. */
export const limit = 32

// A longer line is not a frame and would slow down the regular expression.
const longest = 2048

const follows = (stack: string, header: string): string | undefined => {
  if (!stack.startsWith(header)) return undefined
  const next = stack[header.length]
  return next === undefined || next === "\n" ? stack.slice(header.length) : undefined
}

// `TypeError [ERR_X]: message`, `Uncaught Error: message`: a prefix of one line, then the message, then the frames.
const afterMessage = (stack: string, message: string): string | undefined => {
  const line = stack.indexOf("\n")
  const end = line < 0 ? stack.length : line
  let at = 0
  // A prefix has one or two colons. A message with many would take quadratic time.
  for (let colons = 0; colons <= prefixes && at >= 0 && at <= end; colons++) {
    const rest = stack.startsWith(message, at) ? follows(stack.slice(at), message) : undefined
    if (rest !== undefined) return rest
    const colon = stack.indexOf(": ", at)
    at = colon < 0 ? -1 : colon + 2
  }
  return undefined
}

const prefixes = 8

// A syntax error begins with the place and the code, then comes the usual header.
const afterExcerpt = (stack: string, header: string): string | undefined => {
  const at = stack.indexOf(`\n${header}`)
  const place = /^[^\s][^\n]*:\d+\n/.exec(stack.slice(0, longest))
  if (at < 0 || place === null) return undefined
  const rest = follows(stack.slice(at + 1), header)
  return rest === undefined ? undefined : `\n    at ${place[0].trimEnd()}:1${rest}`
}

// The message was changed after the stack was taken (`error.message = "while reading: " + error.message`): the header
// is as many lines as the new message still contains. When it contains none, text cannot be told from frames.
const afterOldMessage = (stack: string, name: string, message: string): string => {
  const lines = stack.slice(0, 65536).split("\n")
  const old = (lines[0] ?? "").replace(/^[\w$.]+(?: \[\w+\])?(?:: |$)/, "")
  if (old === "") return (lines[0] === name ? lines.slice(1) : []).join("\n")
  if (!message.includes(old)) return ""
  let count = 1
  let header = old
  while (count < lines.length && message.includes(`${header}\n${lines[count]}`)) {
    // Each line costs a search through the message. A longer one cannot be told from frames in time.
    if (count === longestHeader) return ""
    header += `\n${lines[count++]}`
  }
  return lines.slice(count).join("\n")
}

const longestHeader = 64

/** The stack without its header: only frames, or an empty string. */
const body = (stack: string, name: string, message: string): string => {
  const header = message === "" ? name : name === "" ? message : `${name}: ${message}`
  return (
    follows(stack, header) ??
    (message === "" ? undefined : afterMessage(stack, message)) ??
    afterExcerpt(stack, header) ??
    afterOldMessage(stack, name, message)
  )
}

const line = /^ {0,8}at (.+)$/
const place = /^(.*?):(\d{1,9})(?::(\d{1,9}))?$/

/** A URL without its query and fragment. */
export const withoutQuery = (url: string): string => {
  const at = url.search(/[?#]/)
  return at < 0 ? url : url.slice(0, at)
}

/** The path of a frame: a file URL without its scheme, its escapes and the query of a loader. */
export const path = (text: string): string => {
  if (!text.startsWith("file://")) return text
  const bare = withoutQuery(text.slice("file://".length))
  try {
    return decodeURIComponent(bare).replace(/^\/([A-Za-z]:)/, "$1")
  } catch {
    return bare
  }
}

// Names that the engine or Effect's interpreter gives to anonymous functions.
const nameless = /^(?:Object\.)?(?:<anonymous>|effect_instruction_i\d+)$/

const nameOf = (call: string): string => {
  const name = call.replace(/ \[as effect_instruction_i\d+\]$/, "").replace(/^EffectPrimitive\./, "")
  return nameless.test(name) ? "" : name
}

// `call (place)`, `(place)`, or the place alone. No regular expression: it would take quadratic time on brackets.
const split = (text: string): readonly [call: string, inside: string | undefined] => {
  if (!text.endsWith(")")) return ["", undefined]
  const at = text.indexOf(" (")
  if (at >= 0) return [text.slice(0, at), text.slice(at + 2, -1)]
  return ["", text.startsWith("(") ? text.slice(1, -1) : undefined]
}

const parseLine = (text: string): Frame | undefined => {
  const match = text.length > longest ? null : line.exec(text)
  if (match === null) return undefined
  const bare = match[1] ?? ""
  const [name, inside] = split(bare)
  const call = nameOf(name)
  const where = place.exec(inside ?? bare.replace(/^async /, ""))
  if (where !== null) {
    return { kind: "code", call, file: path(where[1] ?? ""), line: Number(where[2]), column: Number(where[3] ?? 1) }
  }
  // `at Generator.next (<anonymous>)`, `at Array.map (native)`: a call of the engine, without a file.
  return { kind: "code", call: inside === undefined ? bare : call, file: "", line: 0, column: 0 }
}

// The same few stacks are read again and again. A part of a text keeps the whole of it in memory: no long one is kept.
const known = new Map<string, ReadonlyArray<Frame>>()
const mostKnown = 500
const longestKnown = 8192

/** The frames of a stack text, nearest first: the same list for the same text. */
export const parse = (stack: string, name: string, message: string): ReadonlyArray<Frame> => {
  const text = body(stack, name, message)
  const found = known.get(text)
  if (found !== undefined) return found
  const frames = parseBody(text)
  if (stack.length > longestKnown) return frames
  if (known.size >= mostKnown) known.clear()
  known.set(text, frames)
  return frames
}

const parseBody = (body: string): ReadonlyArray<Frame> => {
  const frames: Array<Frame> = []
  for (const text of body.slice(0, 65536).split("\n")) {
    const frame = parseLine(text)
    if (frame !== undefined) frames.push(frame)
    if (frames.length === limit) break
  }
  return frames
}

/** Whether the frame belongs to a dependency or the engine and not to the project. */
export const isForeign = (frame: Frame): boolean =>
  frame.file === ""
    ? frame.kind === "code"
    : /(?:^|[\\/])node_modules[\\/]|^(?:node|internal|data|wasm):/.test(frame.file)

/** The most relevant frame: the innermost of the project, else the innermost with a file. */
export const origin = (frames: ReadonlyArray<Frame>): Frame | undefined =>
  frames.find((frame) => frame.file !== "" && !isForeign(frame)) ?? frames.find((frame) => frame.file !== "")
