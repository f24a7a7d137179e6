// Everything that changes one account, at once: on PostgreSQL no two transactions wait for each other.
import { openBearer } from "../../../src/session/internal/SessionGrants.ts"
import { expect, layer } from "@effect/vitest"
import { Array, Cause, Effect, Exit, FastCheck, Logger, Option, Redacted } from "effect"
import * as Transaction from "../../../layers/database/internal/Transaction.ts"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { Factors } from "../../../src/auth/Factors.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { Users } from "../../../src/auth/Users.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { enroll, stores } from "./Stores.ts"
import { query } from "./TableVariants.ts"

let count = 0
const fresh = () => `at-once-${count++}@example.com`

const services = Effect.all({
  changes: AccountChanges,
  tokens: Tokens,
  api: ApiTokens,
  factors: Factors,
  sessions: Sessions,
  trust: Trust,
  users: Users
})

/** An account with a change of its address that can be undone, and everything that people and programs do with it. */
const operations = Effect.gen(function* () {
  const { api, changes, factors, sessions, tokens, trust, users } = yield* services
  const account = yield* enroll
  const { id } = account
  yield* users.confirm(id)
  const change = Effect.flatMap(changes.requestEmail(id, fresh(), "1 hour"), ({ value }) =>
    changes.changeEmail(value, "7 days")
  )
  const undo = Option.getOrThrow(Option.getOrThrow(yield* change).undo)
  const device = yield* trust.issue(id)
  const expel = Effect.gen(function* () {
    yield* users.lock(id)
    yield* trust.revoke(id)
    yield* sessions.revoke(id)
    yield* api.revokeAll(id)
    yield* factors.removeAll(id)
  })
  const all: ReadonlyArray<Effect.Effect<unknown, unknown>> = [
    changes.undoEmail(undo.value, () => expel),
    change,
    changes.requestDeletion(id, "1 day"),
    changes.cancelDeletion(id),
    sessions[openBearer](account),
    sessions.revoke(id),
    trust.issue(id),
    trust.rotate(device.value),
    trust.rotate(device.value),
    trust.revoke(id),
    Effect.flatMap(tokens.mint(id, "recovery"), ({ value }) => tokens.redeem(value, "recovery")),
    api.create(id, { name: "Backup", scopes: [] }),
    api.revokeAll(id),
    factors.renewRecoveryCodes(id),
    factors.askOnEveryDevice(id, true),
    factors.removeAll(id),
    users.rotate(id, Redacted.make("another horse"))
  ]
  return { id, all, remove: users.remove(id) }
})

describeDatabases("Everything at once", (database) => {
  layer(stores(database))((it) => {
    const dies = (effects: ReadonlyArray<Effect.Effect<unknown, unknown>>) =>
      Effect.gen(function* () {
        const order = FastCheck.sample(
          FastCheck.shuffledSubarray([...effects], { minLength: effects.length }),
          1
        ).flat()
        const logged: Array<string> = []
        const logger = Logger.make(({ message }) => logged.push(String(message)))
        const exits = yield* Effect.forEach(order, Effect.exit, { concurrency: "unbounded" }).pipe(
          Effect.provide(Logger.add(logger))
        )
        const died = Array.filterMap(exits, (exit) =>
          Exit.isFailure(exit) && Cause.isDie(exit.cause) ? Option.some(Cause.pretty(exit.cause)) : Option.none()
        )
        // Neither does one have to run again.
        return [...died, ...logged.filter((line) => line.includes(Transaction.conflict))]
      })

    it.effect("is done to an account that stays", () =>
      Effect.gen(function* () {
        for (let round = 0; round < 10; round++) {
          const { all } = yield* operations
          expect(yield* dies(all)).toEqual([])
        }
      })
    )

    it.effect("is done to an account that is deleted meanwhile", () =>
      Effect.gen(function* () {
        for (let round = 0; round < 10; round++) {
          const { all, id, remove } = yield* operations
          expect(yield* dies([...all, remove])).toEqual([])
          const { findById } = yield* Users
          expect(yield* findById(id)).toEqual(Option.none())
        }
      })
    )

    it.effect("leaves nothing of a deletion that nobody disturbed", () =>
      Effect.gen(function* () {
        const { id } = yield* enroll
        const users = yield* Users
        yield* users.remove(id)
        expect(yield* query((sql) => sql`SELECT number FROM revocations WHERE user_id = ${id}`)).toEqual([])
      })
    )
  })
})
