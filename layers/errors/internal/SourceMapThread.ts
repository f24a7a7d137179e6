// Reads the source map of a built file in a thread. That of a bundled program is some 20 MiB of text: in the thread of the
// requests it would stop them for most of a second.
import { MessageChannel, receiveMessageOnPort, Worker } from "node:worker_threads"

/** The places of a built file, as numbers: a bundle has several hundred thousand. */
export interface SourceMapIndex {
  /** Paths, by number. */
  readonly sources: ReadonlyArray<string>
  /** The first segment of each built line. */
  readonly lines: Uint32Array
  /** Four numbers each: built column, source, line and column of the original; all counted from 0. */
  readonly segments: Uint32Array
  /** The names that the bundler has changed in the project's own sources. */
  readonly names: ReadonlySet<string>
}

/** The source of a segment that has none. */
const noSource = 0xffffffff

/** What is asked of the thread: the indexes of built files, or the text of one source. */
interface Question {
  readonly files: ReadonlyArray<string>
  readonly source?: string
}

/** What the thread answers for each file, in their order. */
interface Answer {
  readonly file: string
  readonly found?: SourceMapIndex | string
}

// As text, so that a bundle needs no second file. A map is read only from the same folder: no URL is fetched. Of a
// dependency only the lines are kept, not the columns: that is most of a bundle.
const program = String.raw`
const { workerData } = require("node:worker_threads")
const { readFileSync, statSync } = require("node:fs")
const { dirname, resolve } = require("node:path")
const { fileURLToPath } = require("node:url")
const { done, port, question } = workerData
const largest = 64 * 1024 * 1024
const payloadOf = (file) => {
  if (statSync(file).size > largest) return undefined
  const url = /\/\/# sourceMappingURL=(\S+)\s*$/.exec(readFileSync(file, "utf8").slice(-largest / 16))?.[1]
  if (url === undefined) return undefined
  const inline = /^data:application\/json[^,]*;base64,(.*)$/.exec(url)?.[1]
  if (inline !== undefined) return JSON.parse(Buffer.from(inline, "base64").toString("utf8"))
  return /^[\w.-]+\.map$/.test(url) ? JSON.parse(readFileSync(resolve(dirname(file), url), "utf8")) : undefined
}
const digits = new Uint8Array(128)
for (let index = 0; index < 64; index++) {
  digits["ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".charCodeAt(index)] = index
}
const decode = (text, sources, allNames) => {
  const isForeign = sources.map((path) => /[\\/]node_modules[\\/]/.test(path))
  let segments = new Uint32Array(1 << 16)
  let size = 0
  const lines = [0]
  const names = new Set()
  let at = 0
  let [column, source, line, originalColumn, name] = [0, 0, 0, 0, 0]
  let [lastSource, lastLine] = [-1, -1]
  const next = () => {
    let [value, shift, digit] = [0, 0, 0]
    do {
      digit = digits[text.charCodeAt(at++)]
      value |= (digit & 31) << shift
      shift += 5
    } while (digit & 32)
    return value & 1 ? -(value >>> 1) : value >>> 1
  }
  const isEnd = () => at >= text.length || text[at] === "," || text[at] === ";"
  const push = (from, originalLine, from0) => {
    if (size + 4 > segments.length) {
      const larger = new Uint32Array(segments.length * 2)
      larger.set(segments)
      segments = larger
    }
    segments[size++] = column
    segments[size++] = from
    segments[size++] = originalLine
    segments[size++] = from0
    lastSource = from
    lastLine = originalLine
  }
  while (at < text.length) {
    if (text[at] === ";") {
      lines.push(size / 4)
      column = 0
      lastSource = lastLine = -1
      at++
      continue
    }
    if (text[at] === ",") {
      at++
      continue
    }
    column += next()
    if (isEnd()) {
      push(${noSource}, 0, 0)
      continue
    }
    source += next()
    line += next()
    originalColumn += next()
    if (!isEnd()) {
      name += next()
      if (!isForeign[source] && typeof allNames[name] === "string") names.add(allNames[name])
    }
    while (!isEnd()) next()
    if (isForeign[source] && source === lastSource && line === lastLine) continue
    push(source, line, originalColumn)
  }
  lines.push(size / 4)
  return { lines: Uint32Array.from(lines), segments: segments.slice(0, size), names }
}
const answer = (file, source) => {
  const payload = payloadOf(file)
  if (payload === undefined || !Array.isArray(payload.sources)) return undefined
  const base = resolve(dirname(file), payload.sourceRoot ?? "")
  const pathOf = (url) => (url.startsWith("file://") ? fileURLToPath(url) : url)
  const sources = payload.sources.map((path) => resolve(base, pathOf(String(path))))
  if (source !== undefined) return payload.sourcesContent?.[sources.indexOf(source)] ?? ""
  return { sources, ...decode(String(payload.mappings), sources, payload.names ?? []) }
}
for (const file of question.files) {
  let found
  try { found = answer(file, question.source) } catch {}
  port.postMessage({ file, found }, found?.lines === undefined ? [] : [found.lines.buffer, found.segments.buffer])
}
Atomics.store(done, 0, 1)
Atomics.notify(done, 0)
port.close()
`

const start = (question: Question) => {
  const { port1, port2 } = new MessageChannel()
  const done = new Int32Array(new SharedArrayBuffer(4))
  const workerData = { question, port: port2, done }
  // Without the loaders of the program, and without pipes for its output: it loads and prints nothing.
  const options = { eval: true, execArgv: [], name: "source map", stdout: true, stderr: true }
  const worker = new Worker(program, { ...options, workerData, transferList: [port2] })
  return { worker, port: port1, done }
}

/** Opens maps in the background, each as soon as it is read. A boundary: the thread answers as the program above does. */
export const open = (
  files: ReadonlyArray<string>,
  opened: (file: string, index: SourceMapIndex | undefined) => void
): Promise<void> =>
  new Promise((resolve) => {
    const { port, worker } = start({ files })
    const answered = ({ file, found }: Answer) => opened(file, typeof found === "object" ? found : undefined)
    const settle = () => {
      for (let left = receiveMessageOnPort(port); left !== undefined; left = receiveMessageOnPort(port)) {
        answered(left.message)
      }
      port.close()
      resolve()
    }
    port.on("message", answered)
    worker.on("error", settle)
    worker.on("exit", settle)
  })

const patience = 10_000

// For a page that a developer waits for, and for the last words of a process.
const wait = (question: Question): Answer["found"] => {
  const { done, port, worker } = start(question)
  worker.unref()
  Atomics.wait(done, 0, 0, patience)
  const received: { readonly message: Answer } | undefined = receiveMessageOnPort(port)
  port.close()
  return received?.message.found
}

/** Opens a map while everything waits. */
export const openNow = (file: string): SourceMapIndex | undefined => {
  const found = wait({ files: [file] })
  return typeof found === "object" ? found : undefined
}

/** The text of a source, where the map contains it, while everything waits. */
export const text = (file: string, source: string): string => {
  const found = wait({ files: [file], source })
  return typeof found === "string" ? found : ""
}
