// The messages in the folder of the file transport. Only names that the transport gives are read, and never a link.
import { Effect, Layer, Option } from "effect"
import { constants } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import type { Address, Email } from "postal-mime"
import { Mailbox, type StoredMessage } from "../../../src/mail/internal/Mailbox.ts"

/** The folder of the files. */
interface Options {
  readonly folder: string
}

// => 1794777212119-1-19137.eml
const fileName = /^(\d{1,15})-(\d{1,9})-\d{1,10}\.eml$/

const shown = 100
const headBytes = 16 * 1024
const maxBytes = 2 * 1024 * 1024

const newestFirst = (a: string, b: string): number => {
  const [, timeA = "0", sequenceA = "0"] = fileName.exec(a) ?? []
  const [, timeB = "0", sequenceB = "0"] = fileName.exec(b) ?? []
  return Number(timeB) - Number(timeA) || Number(sequenceB) - Number(sequenceA)
}

/** The first bytes of a regular file in the folder; nothing for anything else. */
const bytesOf = (folder: string, name: string, length: number): Effect.Effect<Buffer | undefined> =>
  Effect.promise(async () => {
    if (!fileName.test(name)) return undefined
    let file: Fs.FileHandle | undefined
    try {
      file = await Fs.open(Path.join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
      const { isFile, size } = await file.stat().then((stat) => ({ isFile: stat.isFile(), size: stat.size }))
      if (!isFile) return undefined
      const bytes = Buffer.alloc(Math.min(size, length))
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0)
      return bytes.subarray(0, bytesRead)
    } catch {
      return undefined
    } finally {
      await file?.close()
    }
  })

const printed = ({ address, group, name }: Address): string =>
  group === undefined ? (name === "" ? address : `${name} <${address}>`) : `${name}: ${group.map(printed).join(", ")}`

/** What a mail program shows of a message, or of its first bytes; nothing of what is beyond the limits of the parser. */
export const parse = (bytes: Buffer): Effect.Effect<Omit<StoredMessage, "name" | "at">> =>
  Effect.promise(async () => {
    // Loaded by the panel that shows a message.
    const { default: PostalMime } = await import("postal-mime")
    const { from, html = "", subject = "", text = "", to = [] } = await PostalMime.parse(bytes).catch(() => nothing)
    return {
      from: from === undefined ? "" : printed(from),
      to: to.map(printed).join(", "),
      subject,
      text: withoutEnd(text),
      html: withoutEnd(html)
    }
  })

// The parser ends each part with a line feed.
const withoutEnd = (text: string): string => text.replace(/\n$/, "")

const nothing: Partial<Email> = {}

const timeOf = (name: string): number => Number(fileName.exec(name)?.[1] ?? 0)

const make = ({ folder }: Options) => {
  const names = Effect.promise(() => Fs.readdir(folder).catch((): Array<string> => [])).pipe(
    Effect.map((found) => found.filter((name) => fileName.test(name)).sort(newestFirst))
  )
  const list = Effect.gen(function* () {
    const all = yield* names
    const heads = yield* Effect.forEach(all.slice(0, shown), (name) =>
      Effect.gen(function* () {
        const bytes = yield* bytesOf(folder, name, headBytes)
        if (bytes === undefined) return []
        const { from, subject, to } = yield* parse(bytes)
        return [{ name, at: timeOf(name), from, to, subject }]
      })
    )
    return { messages: heads.flat(), more: Math.max(0, all.length - shown) }
  })
  const read = (name: string) =>
    Effect.gen(function* () {
      const bytes = yield* bytesOf(folder, name, maxBytes)
      if (bytes === undefined) return Option.none()
      return Option.some({ name, at: timeOf(name), ...(yield* parse(bytes)) })
    })
  return { list, read }
}

/** Reads the messages of this folder, which may be missing. */
export const layer = (options: Options): Layer.Layer<never> => Layer.sync(Mailbox, () => make(options))
