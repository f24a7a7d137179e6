// Where the command-line client keeps its session: a file that only its owner reads, with the server that gave it.
import { Config, Context, Effect, Layer, Option, Redacted, Schema } from "effect"
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const Stored = Schema.parseJson(
  Schema.Struct({ url: Schema.String, token: Schema.Redacted(Schema.String), email: Schema.String })
)

/** A session, and the server that it belongs to: it is never sent to another one. */
export type Stored = typeof Stored.Type

/** Reads, writes and removes the session. */
export class SessionFile extends Context.Tag("demo/SessionFile")<
  SessionFile,
  {
    readonly path: string
    /** The session at this server. */
    readonly read: (url: string) => Effect.Effect<Option.Option<Stored>>
    readonly write: (session: Stored) => Effect.Effect<void>
    readonly remove: Effect.Effect<void>
  }
>() {}

const textOf = (path: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

// Under another name first: at no time does anyone else read it, nor does a reader find half of it.
const replace = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const next = `${path}.${process.pid}`
  rmSync(next, { force: true })
  writeFileSync(next, text, { mode: 0o600, flag: "wx" })
  renameSync(next, path)
}

const make = (path: string) =>
  SessionFile.of({
    path,
    read: (url) =>
      Effect.sync(() => Option.filter(Schema.decodeOption(Stored)(textOf(path)), (session) => session.url === url)),
    write: (session) => Effect.sync(() => replace(path, Schema.encodeSync(Stored)(session))),
    remove: Effect.sync(() => rmSync(path, { force: true }))
  })

/** `client/session.json` in the storage folder. */
export const layer = Layer.effect(
  SessionFile,
  Effect.map(Config.withDefault(Config.string("STORAGE_DIR"), "storage"), (folder) =>
    make(join(folder, "client", "session.json"))
  )
)

/** The value of the `Authorization` header. */
export const authorization = ({ token }: Stored): string => `Bearer ${Redacted.value(token)}`
