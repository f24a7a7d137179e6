// The development transport: each message is a file that any mail program opens.
import { Clock, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import * as Fs from "node:fs/promises"
import * as Path from "node:path"
import type { MailMessage, Sender } from "../../src/mail/MailMessage.ts"
import { fromSend, Mailer, MailDeliveryError } from "../../src/mail/Mailer.ts"
import { compose } from "./internal/MimeMessage.ts"

/** The folder of the files, and the sender of the messages. */
export interface Options {
  readonly folder: string
  readonly sender: Sender
}

const make = ({ folder, sender }: Options) => {
  let sequence = 0
  return fromSend(
    Effect.fnUntraced(function* (message: MailMessage, { id = randomUUID() } = {}) {
      const date = yield* Clock.currentTimeMillis
      const name = () => `${date}-${++sequence}-${process.pid}.eml`
      const text = yield* compose(message, { sender, id, date })
      yield* attempt(() => privateFolder(folder).then(() => publish(folder, text, name)))
    })
  )
}

/** Writes messages as `.eml` files to this folder, which is created when it is missing. */
export const layerWith = (options: Options): Layer.Layer<Mailer> => Layer.sync(Mailer, () => make(options))

const attempt = <A>(work: () => Promise<A>): Effect.Effect<A, MailDeliveryError> =>
  Effect.tryPromise({
    try: work,
    catch: (error) => new MailDeliveryError({ reason: `the file was not written (${codeOf(error)})` })
  })

// The files contain valid links: only the owner may read them or list the folder.
const privateFolder = async (folder: string): Promise<void> => {
  await Fs.mkdir(Path.dirname(folder), { recursive: true })
  await Fs.mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error
    await Fs.chmod(folder, 0o700)
  })
}

// Written under a temporary name first, so that nobody reads half a message. `link`, unlike `rename`, never replaces a
// file: a worker in another container may have the same process id.
const publish = async (folder: string, text: Buffer, name: () => string): Promise<void> => {
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
