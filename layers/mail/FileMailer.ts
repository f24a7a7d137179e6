// The development lane: each letter is a file that any mail program opens.
import { Clock, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import type { MailMessage, Sender } from "../../src/mail/MailMessage.ts"
import { direct, Mailer, MailDeliveryError } from "../../src/mail/Mailer.ts"
import { encode } from "../../src/mail/MimeEncoder.ts"

/** The folder of the letters, and who they are from. */
export interface Options {
  readonly folder: string
  readonly sender: Sender
}

const make = ({ folder, sender }: Options) => {
  let sequence = 0
  return direct(
    Effect.fnUntraced(function* (letter: MailMessage, { id = randomUUID() } = {}) {
      const date = yield* Clock.currentTimeMillis
      const text = encode(letter, { sender, id, date })
      const name = () => `${date}-${++sequence}-${process.pid}.eml`
      yield* attempt(() => privateFolder(folder).then(() => publish(folder, text, name)))
    })
  )
}

/** Letters as files of this folder, which is made when it is missing. */
export const layerWith = (options: Options): Layer.Layer<Mailer> => Layer.sync(Mailer, () => make(options))

const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, MailDeliveryError> =>
  Effect.tryPromise({
    try: work,
    catch: (error) => new MailDeliveryError({ reason: `the file was not written (${codeOf(error)})` })
  })

// The letters hold live links: neither they nor their names are for other users of the machine.
const privateFolder = async (folder: string): Promise<void> => {
  await Fs.mkdir(Path.dirname(folder), { recursive: true })
  await Fs.mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error
    await Fs.chmod(folder, 0o700)
  })
}

// Complete before it has its name, so that nobody reads half a letter. A link, unlike a rename, never replaces a
// letter: a worker in another container may have our process id.
const publish = async (folder: string, text: string, name: () => string): Promise<void> => {
  const draft = Path.join(folder, `.${randomUUID()}.tmp`)
  try {
    await Fs.writeFile(draft, text, { mode: 0o600, flag: "wx" })
    await claimName(draft, folder, name)
  } finally {
    await Fs.rm(draft, { force: true })
  }
}

const claimName = async (draft: string, folder: string, name: () => string): Promise<void> => {
  for (;;) {
    try {
      return await Fs.link(draft, Path.join(folder, name()))
    } catch (error) {
      if (codeOf(error) !== "EEXIST") throw error
    }
  }
}

const codeOf = (error: unknown): string =>
  typeof error === "object" && error !== null && "code" in error ? String(error.code) : "unknown"
