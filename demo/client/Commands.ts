// The commands of the client: sign in, read the articles, sign out.
import { Args, Command, Options, Prompt } from "@effect/cli"
import { Config, Console, Effect, Option, Redacted, Stream } from "effect"
import { createInterface } from "node:readline"
import * as ListClient from "../../src/pagination/ListClient.ts"
import * as Connection from "./Connection.ts"
import { SessionFile } from "./SessionFile.ts"

const url = Options.text("url").pipe(
  Options.withFallbackConfig(Config.string("APP_URL")),
  Options.withDefault("http://localhost:8087"),
  Options.withDescription("the address of the demo; by default APP_URL, else http://localhost:8087")
)

// A server could send what a terminal obeys.
const printable = (text: string): string => text.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]/gu, " ")

const print = (text: string) => Console.log(printable(text))

// Never an argument: every user of the machine reads those. Without a terminal, one line of the standard input each.
const questions = Effect.gen(function* () {
  if (process.stdin.isTTY) return (message: string) => Prompt.run(Prompt.password({ message }))
  const reader = yield* Effect.acquireRelease(
    Effect.sync(() => createInterface({ input: process.stdin })),
    (open) => Effect.sync(() => open.close())
  )
  const lines = reader[Symbol.asyncIterator]()
  return () =>
    Effect.promise(async () => {
      const { done, value } = await lines.next()
      return Redacted.make(done === true ? "" : value)
    })
})

const signIn = Command.make("sign-in", { email: Args.text({ name: "email" }), url }, ({ email, url: given }) =>
  Effect.gen(function* () {
    const origin = yield* Connection.originOf(given)
    const file = yield* SessionFile
    const { api } = yield* Connection.open(origin)
    const ask = yield* questions
    const payload = { email, password: yield* ask("Password") }
    const first = yield* Effect.mapError(api.accounts.signInBearer({ payload }), Connection.problemOf(origin))
    const { account, bearer } =
      "account" in first
        ? first
        : yield* Effect.mapError(
            api.accounts.signInFactorBearer({ payload: { pending: first.pending, code: yield* ask("Code") } }),
            Connection.problemOf(origin)
          )
    yield* file.write({ url: origin, token: bearer.token, email: account.email })
    yield* print(`Signed in as ${account.email}. The session is in ${file.path}.`)
  }).pipe(Effect.scoped)
).pipe(
  Command.withDescription(
    "sign in; the password is asked for, or the first line of the standard input, and a code the second"
  )
)

const me = Command.make("me", { url }, ({ url: given }) =>
  Effect.gen(function* () {
    const origin = yield* Connection.originOf(given)
    const { api } = yield* Connection.open(origin)
    const account = yield* Effect.mapError(api.accounts.me(), Connection.problemOf(origin))
    yield* print(`${account.email}, ${account.verified ? "verified" : "not verified"}`)
  })
).pipe(Command.withDescription("show the signed-in account"))

const limit = Options.integer("limit").pipe(
  Options.withDefault(10),
  Options.withDescription("how many of them; 10 by default")
)

const articles = Command.make("articles", { limit, url }, ({ limit: most, url: given }) =>
  Effect.gen(function* () {
    const origin = yield* Connection.originOf(given)
    const { api } = yield* Connection.open(origin)
    const size = Math.min(100, Math.max(1, most))
    yield* ListClient.stream((urlParams) => api.articles.list({ urlParams }), { limit: size }).pipe(
      Stream.take(most),
      Stream.runForEach(({ author, id, title }) =>
        print(`${id}  ${title}${author === null ? "" : `, by ${author.name}`}`)
      ),
      Effect.mapError(Connection.problemOf(origin))
    )
  })
).pipe(Command.withDescription("list the newest articles"))

const signOut = Command.make("sign-out", { url }, ({ url: given }) =>
  Effect.gen(function* () {
    const origin = yield* Connection.originOf(given)
    const file = yield* SessionFile
    const { api, session } = yield* Connection.open(origin)
    if (Option.isNone(session)) return yield* print("Not signed in.")
    const ended = Effect.catchTag(api.accounts.signOut(), "Unauthenticated", () =>
      Effect.succeed({ message: "The session had ended already." })
    )
    const { message } = yield* Effect.mapError(ended, Connection.problemOf(origin))
    yield* file.remove
    yield* print(message)
  })
).pipe(Command.withDescription("sign out and remove the session"))

/** The client and its commands. */
export const client = Command.make("client").pipe(
  Command.withDescription("a client of the demo's API"),
  Command.withSubcommands([signIn, me, articles, signOut])
)
