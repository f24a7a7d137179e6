// The authentication routes on a real server, over a real database, with letters as files in a folder of their own.
//
//   describeDatabases("Login", (database) => {
//     layer(AuthApp.layer(database))((it) => {
//       it.effect("…", () => Effect.gen(function* () {
//         const app = yield* AuthApp.AuthApp
//         const { person, visitor } = yield* AuthApp.register(app)
//       }))
//     })
//   })
//
// Each visitor has an address of its own (the server believes the loopback's X-Forwarded-For), so that rate limits count
// what one test does and no other. Under `layer(…)` the clock of the server is the TestClock.
import { Context, Effect, Layer, Redacted } from "effect"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as Home from "../../demo/Home.ts"
import * as Argon2Password from "../../layers/auth/Argon2Password.ts"
import * as SqlAuthentication from "../../layers/auth/SqlAuthentication.ts"
import * as LiveAfterwards from "../../layers/http/LiveAfterwards.ts"
import * as FileMailer from "../../layers/mail/FileMailer.ts"
import * as HttpServer from "../../layers/server/HttpServer.ts"
import * as AuthRoutes from "../../routes/auth/AuthRoutes.ts"
import * as Assets from "../../routes/http/Assets.ts"
import * as Pipeline from "../../routes/http/Pipeline.ts"
import * as Password from "../../src/auth/Password.ts"
import * as Peer from "../../src/auth/Peer.ts"
import * as Settings from "../../src/auth/Settings.ts"
import { Afterwards } from "../../src/http/Afterwards.ts"
import * as PlainLayout from "../../src/http/PlainLayout.ts"
import { Listening } from "../../src/server/Listening.ts"
import type { TestEngine } from "./Databases.ts"
import { sender } from "./Letters.ts"
import { type Mail, parseMail } from "./Mime.ts"
import * as Serving from "./Serving.ts"
import * as Visitor from "./Visitor.ts"

/** Not where the server listens: a link that starts with anything else was made from the request. */
export const appUrl = "https://app.example"

export class AuthApp extends Context.Tag("test/AuthApp")<
  AuthApp,
  {
    readonly url: string
    /** Waits until no work is under way after its answer. */
    readonly settled: Effect.Effect<void>
    /** The letters to this address, the oldest first, once nothing is under way. */
    readonly lettersTo: (email: string) => Effect.Effect<ReadonlyArray<Mail>>
  }
>() {}

class Folder extends Context.Tag("test/MailFolder")<Folder, string>() {}

const folder = Layer.scoped(
  Folder,
  Effect.acquireRelease(
    Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "framework-mails-"))),
    (path) => Effect.sync(() => Fs.rmSync(path, { recursive: true, force: true }))
  )
)

const mailer = Layer.unwrapEffect(Effect.map(Folder, (path) => FileMailer.layerWith({ folder: path, sender })))

class Settled extends Context.Tag("test/Settled")<Settled, Effect.Effect<void>>() {}

/** The real work after the answer, with a way to wait for it. */
const afterwards = Layer.effectContext(
  Effect.gen(function* () {
    const live = yield* Afterwards
    const idle = yield* Effect.makeLatch(true)
    let open = 0
    const begin = Effect.suspend(() => (open++ === 0 ? idle.close : Effect.void))
    const end = Effect.suspend(() => (--open === 0 ? idle.open : Effect.void))
    const run = <E, R>(work: Effect.Effect<void, E, R>) => Effect.zipRight(begin, live.run(Effect.ensuring(work, end)))
    return Context.empty().pipe(Context.add(Settled, idle.await), Context.add(Afterwards, { run }))
  })
).pipe(Layer.provide(LiveAfterwards.layer))

const app = Pipeline.app([
  ...Pipeline.pages([...AuthRoutes.routes, ...Home.routes]),
  ...Pipeline.plain(Assets.routes(PlainLayout.assets))
])

export interface Options {
  readonly values?: Partial<Settings.Values>
  readonly environment?: NonNullable<Serving.Options["environment"]>
  /** `plain` costs nothing and is what most tests need; `argon2` is the real thing at its floor. */
  readonly hashing?: "plain" | "argon2" | Layer.Layer<Password.Password>
}

// Hashes that are texts: the routes do not care.
export const plainPassword = Layer.succeed(Password.Password, {
  hash: (password) => Effect.sync(() => `plain:${Redacted.value(password)}`),
  verify: (hash, password) => Effect.sync(() => hash === `plain:${Redacted.value(password)}`),
  isStale: () => false
})

const hasherOf = (hashing: NonNullable<Options["hashing"]>) => {
  if (hashing === "argon2") return Argon2Password.layer
  return hashing === "plain" ? plainPassword : hashing
}

const services = (database: TestEngine, { environment = "production", hashing = "plain", values = {} }: Options) =>
  afterwards.pipe(
    Layer.provideMerge(Layer.mergeAll(SqlAuthentication.layerStores(), mailer, PlainLayout.layer({ name: "Test" }))),
    Layer.provideMerge(hasherOf(hashing)),
    Layer.provideMerge(Settings.layerWith({ appUrl, argon2: Password.floor, ...values })),
    Layer.provideMerge(Serving.support({ trusted: Peer.parseTrusted("127.0.0.1") ?? [], environment })),
    Layer.provideMerge(folder),
    Layer.provideMerge(database.layer)
  )

const make = Effect.gen(function* () {
  const { url } = yield* Listening
  const path = yield* Folder
  const settled = yield* Settled
  const mails = Effect.sync(() =>
    Fs.readdirSync(path)
      .filter((name) => name.endsWith(".eml"))
      .sort((a, b) => sequence(a) - sequence(b))
      .map((name) => parseMail(Fs.readFileSync(Path.join(path, name), "utf8")))
  )
  return AuthApp.of({
    url,
    settled,
    lettersTo: (email) =>
      Effect.zipRight(
        settled,
        Effect.map(mails, (all) => all.filter((mail) => mail.header("to") === email))
      )
  })
})

const sequence = (name: string): number => Number(name.split("-")[1])

/** The whole app on a database of its own. */
export const layer = (database: TestEngine, options: Options = {}) =>
  Layer.effect(AuthApp, make).pipe(
    Layer.provide(HttpServer.layer(app, { host: "127.0.0.1", port: 0 })),
    Layer.provideMerge(services(database, options))
  )

type App = Context.Tag.Service<AuthApp>

/** The path of the link in a letter. */
export const linkIn = (mail: Mail | undefined): string => {
  const [, path = ""] = /https:\/\/app\.example(\/\S+)/.exec(mail?.text ?? "") ?? []
  return path
}

export interface Person {
  readonly email: string
  readonly password: string
}

let count = 0

/** Someone who has no account yet. */
export const someone = (): Person => ({ email: `person-${++count}@example.com`, password: `quiet harbour ${count}` })

/** Someone who has just signed up, with the browser they did it in. */
export const register = Effect.fnUntraced(function* (app: App, person: Person = someone()) {
  const visitor = Visitor.make(app.url)
  yield* visitor.get("/register")
  const answer = yield* visitor.submit("/register", { ...person, password_confirmation: person.password })
  return { person, visitor, answer }
})

/** A browser in which the person has signed in. */
export const signIn = Effect.fnUntraced(function* (
  app: App,
  { email, password }: Person,
  more: Readonly<Record<string, string>> = {}
) {
  const visitor = Visitor.make(app.url)
  yield* visitor.get("/login")
  const answer = yield* visitor.submit("/login", { email, password, ...more })
  return { visitor, answer }
})

/** The path of a fresh reset link for this address. */
export const recoveryLink = Effect.fnUntraced(function* (app: App, email: string) {
  const visitor = Visitor.make(app.url)
  yield* visitor.get("/forgot")
  yield* visitor.submit("/forgot", { email })
  // Letters are sent after the answers: the one of an earlier request may overtake this one.
  return (yield* app.lettersTo(email)).map(linkIn).findLast((path) => path.startsWith("/reset/")) ?? ""
})
