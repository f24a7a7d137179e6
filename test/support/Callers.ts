// Kinds of callers that are neither a guest nor signed in as usual, for the tables of who may do what.
import { Effect, Redacted, TestClock } from "effect"
import { ApiTokens } from "../../src/auth/ApiTokens.ts"
import { Sessions } from "../../src/session/Session.ts"
import * as TestApp from "../../testing/TestApp.ts"
import * as FactorApp from "./FactorApp.ts"

/** Later than any confirmation lasts. */
export const later = TestClock.adjust("11 minutes")

/** The cookie of a trusted device alone. */
export const device = Effect.gen(function* () {
  const { email, password } = yield* TestApp.enrolledUser()
  const client = yield* TestApp.guest
  yield* client.submit("/login", { email, password, remember: "1" })
  client.jar.delete("session")
  return client
})

/** An API token with every scope. */
export const program = Effect.gen(function* () {
  const { id } = yield* TestApp.enrolledUser()
  const { create } = yield* ApiTokens
  const { secret } = yield* create(id, { name: "All", scopes: ["notes:read", "notes:write"] })
  const client = yield* TestApp.guest
  client.headers.set("authorization", `Bearer ${Redacted.value(secret)}`)
  return client
})

/** A browser that has sent the password of an account with an authenticator app, and nothing else. */
export const pending = Effect.gen(function* () {
  const user = yield* TestApp.enrolledUser()
  yield* FactorApp.enrol(user)
  const client = yield* TestApp.guest
  const { email, password } = user
  const { status } = yield* client.json("POST", "/login", { email, password })
  return status === 202 ? client : yield* Effect.dieMessage(`the sign-in is not pending but ${status}`)
})

/** A session that has ended. */
export const ended = Effect.gen(function* () {
  const client = yield* TestApp.signedInUser()
  yield* Effect.flatMap(Sessions, ({ revoke }) => revoke(client.user.id))
  return client
})
