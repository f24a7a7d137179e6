// People whose account has no password, for tests over real sockets: they come in by a badge, the program's own way.
import { HttpLayerRouter } from "@effect/platform"
import { Effect, Option, Schema } from "effect"
import * as SignIn from "../../routes/auth/SignIn.ts"
import * as FormState from "../../routes/session/FormState.ts"
import { Users } from "../../src/auth/Users.ts"
import * as TestApp from "../../testing/TestApp.ts"

const Badge = Schema.Struct({ email: Schema.String })

const enter = Effect.gen(function* () {
  const { email } = yield* Effect.orDie(FormState.read(Badge))
  const user = yield* Effect.flatMap(Users, ({ fetch }) => fetch(email))
  return yield* SignIn.complete(Option.getOrThrow(user), { by: "a badge" })
})

/** `POST /badge` signs in the account of an e-mail. */
export const route = HttpLayerRouter.route("POST", "/badge", enter)

let count = 0

/** A new account without a password, whose address is verified unless stated. */
export const enroll = Effect.fnUntraced(function* ({ verified = true }: { readonly verified?: boolean } = {}) {
  const users = yield* Users
  const email = `badge-${++count}@example.com`
  const id = yield* Effect.orDie(users.enrollWithoutPassword(email))
  if (verified) yield* users.confirm(id)
  return { id, email, password: "" }
})

/** A browser in which such a person has signed in. */
export const signIn = Effect.fnUntraced(function* (user: TestApp.TestUser) {
  const browser = yield* TestApp.guest
  const { status } = yield* browser.submit("/badge", { email: user.email })
  if (status !== 303) return yield* Effect.dieMessage(`Signing in ${user.email} returned ${status}`)
  return { ...browser, user }
})

/** A browser that is signed in to a new account without a password. */
export const make = Effect.flatMap(enroll(), signIn)
