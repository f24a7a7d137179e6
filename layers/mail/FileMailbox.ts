// The messages in the folder of the file transport. Only names that the transport gives are read, and never a link.
import { Effect, Layer, Option } from "effect"
import { constants } from "node:fs"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import { Mailbox, type StoredHead } from "../../src/mail/Mailbox.ts"
import * as MimeReader from "./MimeReader.ts"

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

const head = (name: string, { from, subject, to }: MimeReader.ReadMessage): StoredHead => ({
  name,
  at: Number(fileName.exec(name)?.[1] ?? 0),
  from,
  to,
  subject
})

const make = ({ folder }: Options) => {
  const names = Effect.promise(() => Fs.readdir(folder).catch((): Array<string> => [])).pipe(
    Effect.map((found) => found.filter((name) => fileName.test(name)).sort(newestFirst))
  )
  const list = Effect.gen(function* () {
    const all = yield* names
    const heads = yield* Effect.forEach(all.slice(0, shown), (name) =>
      Effect.map(bytesOf(folder, name, headBytes), (bytes) =>
        bytes === undefined ? [] : [head(name, MimeReader.read(bytes))]
      )
    )
    return { messages: heads.flat(), more: Math.max(0, all.length - shown) }
  })
  const read = (name: string) =>
    Effect.map(bytesOf(folder, name, maxBytes), (bytes) => {
      if (bytes === undefined) return Option.none()
      const message = MimeReader.read(bytes)
      return Option.some({ ...head(name, message), text: message.text, html: message.html })
    })
  return { list, read }
}

/** Reads the messages of this folder, which may be missing. */
export const layer = (options: Options): Layer.Layer<never> => Layer.sync(Mailbox, () => make(options))
