// The authentication routes on a real server, over a real database, with messages in memory.
//
//   describeDatabases("Login", (database) => {
//     layer(AuthApp.layer(database))((it) => {
//       it.effect("…", () => Effect.gen(function* () {
//         const app = yield* AuthApp.AuthApp
//         const { person, visitor } = yield* AuthApp.register()
//       }))
//     })
//   })
//
// Each visitor has an address of its own (the server trusts X-Forwarded-For from the loopback), so that rate limits count
// what one test does and no other. Under `layer(…)` the clock of the server is the TestClock.
import { Effect, Layer } from "effect"
import * as Home from "../../demo/Home.ts"
import * as AccountDeletion from "../../routes/auth/AccountDeletion.ts"
import type * as ApiScopes from "../../src/auth/ApiScopes.ts"
import type * as AuthConfig from "../../src/auth/AuthConfig.ts"
import { DueLostFactorRequests } from "../../src/auth/internal/AccountWorkers.ts"
import { ServerAddress } from "../../src/server/ServerAddress.ts"
import { BackgroundWork } from "../../testing/BackgroundWork.ts"
import { CapturedMail } from "../../testing/CapturedMail.ts"
import * as TestApp from "../../testing/TestApp.ts"
import type { TestEngine } from "./Databases.ts"
import { lastLink } from "./MailedLinks.ts"
import * as Visitor from "./Visitor.ts"

/** The address of the app, the end of all work after responses, and after that the messages to an address and its last link. */
export const AuthApp = Effect.gen(function* () {
  const { url } = yield* ServerAddress
  const { idle: settled } = yield* BackgroundWork
  const { linkTo, messagesTo } = yield* CapturedMail
  return { url, settled, linkTo, messagesTo }
})

export interface Options extends Pick<TestApp.Options, "environment" | "hashing"> {
  readonly values?: Partial<AuthConfig.Settings>
  /** The scopes that the page of API tokens offers; without them there is no such page. */
  readonly scopes?: Pick<ApiScopes.ApiScopes<never>, "layer">
  /** Whether accounts can be deleted; without it there is no such page. */
  readonly deletion?: boolean
}

// The pages of a recovery are offered; the tests of their worker have their own program.
const recoveries = Layer.succeed(DueLostFactorRequests, { sweep: Effect.succeed(0) })

/** The whole app on a database of its own. */
export const layer = (database: TestEngine, { deletion = false, scopes, values = {}, ...options }: Options = {}) =>
  TestApp.layer(Home.routes, {
    environment: "production",
    settings: values,
    database: database.layer,
    services: Layer.mergeAll(scopes?.layer ?? Layer.empty, deletion ? AccountDeletion.layer : Layer.empty, recoveries),
    ...options
  })

export type App = Effect.Effect.Success<typeof AuthApp>

export interface Person {
  readonly email: string
  readonly password: string
}

let count = 0

/** Someone who has no account yet. */
export const someone = (): Person => ({ email: `person-${++count}@example.com`, password: `quiet harbour ${count}` })

/** Someone who has just signed up, with the browser they did it in. All work after the response has ended. */
export const register = Effect.fnUntraced(function* (person: Person = someone()) {
  const app = yield* AuthApp
  const visitor = Visitor.make(app.url)
  yield* visitor.get("/register")
  const response = yield* visitor.submit("/register", { ...person, password_confirmation: person.password })
  // The messages of two requests may come in any order.
  yield* app.settled
  return { person, visitor, response }
})

/** A browser in which the person has signed in. All work after the response has ended. */
export const signIn = Effect.fnUntraced(function* (
  { email, password }: Person,
  more: Readonly<Record<string, string>> = {}
) {
  const app = yield* AuthApp
  const visitor = Visitor.make(app.url)
  yield* visitor.get("/login")
  const response = yield* visitor.submit("/login", { email, password, ...more })
  yield* app.settled
  return { visitor, response }
})

/** The path of a fresh reset link for this address. */
export const recoveryLink = Effect.fnUntraced(function* (email: string) {
  const visitor = Visitor.make((yield* AuthApp).url)
  yield* visitor.get("/forgot")
  yield* visitor.submit("/forgot", { email })
  return yield* lastLink(email, "/reset")
})
