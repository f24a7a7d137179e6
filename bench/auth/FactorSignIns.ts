// Sign-ins with a password and a one-time code, one after the other, against bare argon2 with one statement.
import * as SessionGrants from "../../src/session/internal/SessionGrants.ts"
import argon2 from "argon2"
import Sqlite from "better-sqlite3"
import { Effect, Option, Redacted } from "effect"
import { TOTP } from "otpauth"
import * as Argon2Password from "../../layers/auth/Argon2Password.ts"
import { Factors } from "../../src/auth/Factors.ts"
import { PendingSignIns } from "../../src/auth/internal/PendingSignIns.ts"
import { Sessions } from "../../src/session/Session.ts"
import { Users } from "../../src/auth/Users.ts"
import * as Rounds from "../Rounds.ts"
import * as Accounts from "./Accounts.ts"

/** Seconds of a sign-in with password and one-time code, one after the other, and of bare argon2 with one statement. */
export const rates = async (file: string, count: number) => {
  const runtime = Accounts.runtime(file, Argon2Password.layer)
  const secret = Redacted.make(Accounts.password)
  // A code works once: each sign-in has an account of its own, whose app was added with the code of the step before.
  const enrol = Effect.fnUntraced(function* (email: string) {
    const identity = Option.getOrThrow(yield* (yield* Users).fetch(email))
    const store = yield* Factors
    const { enrollment, secret } = yield* store.begin(identity)
    const app = new TOTP({ secret: Redacted.value(secret) })
    const code = Redacted.make(app.generate({ timestamp: Date.now() - 30_000 }))
    yield* store.confirm(identity.id, enrollment, code, "bench")
    return { email, app }
  })
  const signIn = Effect.fnUntraced(function* ({ app, email }: { readonly app: TOTP; readonly email: string }) {
    const sessions = yield* Sessions
    const first = yield* Accounts.state
    const request = sessions.attach(first, {})
    yield* request.trackRevocations
    const identity = Option.getOrThrow(yield* (yield* Users).verify(email, secret))
    const store = yield* Factors
    const { kinds } = yield* store.required(identity.id)
    if (kinds.length === 0) return yield* Effect.dieMessage("no factor is required")
    const pending = yield* PendingSignIns
    const { value: token } = yield* pending.begin(identity.id, { remember: false, request })
    yield* first.session?.commit ?? Effect.void
    const second = yield* Accounts.state
    const session = sessions.attach(second, {})
    const { user } = Option.getOrThrow(yield* pending.spend(token))
    Option.getOrThrow(yield* store.verify(user, Redacted.make(app.generate())))
    const { asOf } = Option.getOrThrow(yield* pending.complete(token))
    yield* session[SessionGrants.signIn](identity, asOf)
    yield* second.session?.commit ?? Effect.void
  })
  try {
    await runtime.runPromise(Effect.void)
    await Accounts.seed(file)
    const enrolled = await runtime.runPromise(
      Effect.forEach(
        Array.from({ length: count }, (_, index) => `account-${index}@example.com`),
        enrol
      )
    )
    const hash = await argon2.hash(Accounts.password, Accounts.cost)
    const database = new Sqlite(file, { timeout: 5000 })
    const statement = database.prepare("SELECT id, email, password FROM users WHERE email = ?")
    const rate = async (work: () => Promise<unknown>) => {
      const began = performance.now()
      await work()
      return 1000 / (performance.now() - began)
    }
    const next = enrolled.values()
    const takes = {
      ours: () => rate(() => runtime.runPromise(signIn(next.next().value ?? Option.getOrThrow(Option.none())))),
      bare: () =>
        rate(async () => {
          statement.get("account-0@example.com")
          await argon2.verify(hash, Accounts.password)
        })
    }
    const taken = await Rounds.take(takes, count)
    database.close()
    return taken
  } finally {
    await runtime.dispose()
  }
}
