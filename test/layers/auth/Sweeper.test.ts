import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Duration, Effect, Layer, Redacted, TestClock } from "effect"
import * as Sweeper from "../../../layers/auth/internal/Sweeper.ts"
import * as SqlAuthentication from "../../../layers/auth/SqlAuthentication.ts"
import * as JobWorker from "../../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { PendingSignIns } from "../../../src/auth/internal/PendingSignIns.ts"
import * as Mailer from "../../../src/mail/Mailer.ts"
import { Passkeys } from "../../../src/auth/Passkeys.ts"
import { ProviderFlows } from "../../../src/auth/internal/providers/ProviderFlows.ts"
import { RateLimit } from "../../../src/session/RateLimit.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import * as AuthConfig from "../../../src/auth/AuthConfig.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Trust } from "../../../src/auth/Trust.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as InsecurePassword from "../../../testing/InsecurePassword.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { Browser, enroll, signedIn, stores } from "./Stores.ts"

const tables = [
  "tokens",
  "trusts",
  "sessions",
  "rate_limits",
  "api_tokens",
  "security_events",
  "pending_sign_ins",
  "passkey_challenges",
  "provider_flows"
]

const counts = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.forEach(tables, (table) => Effect.map(sql`SELECT 1 AS one FROM ${sql(table)}`, ({ length }) => length))
)

const fill = Effect.gen(function* () {
  const identity = yield* enroll
  yield* (yield* Tokens).mint(identity.id, "recovery", "60 seconds")
  yield* (yield* Trust).issue(identity.id, "60 seconds")
  yield* (yield* RateLimit).hit({ scope: "sweep", limit: 5, window: "60 seconds" }, identity.id)
  yield* (yield* ApiTokens).create(identity.id, { name: "backup", scopes: [], ttl: "60 seconds" })
  yield* (yield* SecurityEvents).record({ account: identity.id, event: { _tag: "SignedUp" } })
  const pending = yield* PendingSignIns
  yield* new Browser().visit((request) => pending.begin(identity.id, { remember: false, request }))
  const passkeys = yield* Passkeys
  yield* (yield* signedIn(identity)).visit((session) => passkeys.requestOptions(session))
  yield* (yield* ProviderFlows).claim(identity.id)
})

const unused = Layer.succeed(
  Mailer.Mailer,
  Mailer.fromSend(() => Effect.dieMessage("no message is due"))
)

describeDatabases("Sweeper", (database) => {
  layer(database.layer)((it) => {
    it.scoped("runs with a hash of the program, too", () =>
      Effect.gen(function* () {
        const authentication = yield* Layer.build(
          SqlAuthentication.layerWith({ password: InsecurePassword.layer }).pipe(
            Layer.provide(Layer.merge(unused, AuthConfig.layerWith({})))
          )
        )
        const users = Context.get(authentication, Users)
        const id = yield* users.enroll("own-hash@example.com", Redacted.make("correct-horse-battery"))
        yield* Context.get(authentication, Tokens).mint(id, "recovery", "60 seconds")
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`SELECT password FROM users`).toEqual([{ password: "plain:correct-horse-battery" }])
        yield* Effect.repeat(Effect.zipRight(TestClock.adjust("30 minutes"), sql`SELECT 1 AS one FROM tokens`), {
          until: (left) => left.length === 0
        })
        expect(yield* sql`SELECT 1 AS one FROM tokens`).toEqual([])
      })
    )
  })

  layer(stores(database, { eventsTtl: Duration.seconds(60) }))((it) => {
    it.effect("drops what has expired in every store, by itself, while the program runs", () =>
      Effect.gen(function* () {
        yield* Layer.launch(Layer.provide(Sweeper.layer, unused)).pipe(Effect.fork)
        yield* fill
        expect(yield* counts).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1])
        // A round that waits for the database misses the hours that pass meanwhile: they pass until it has seen them.
        yield* Effect.repeat(Effect.zipRight(TestClock.adjust("30 minutes"), counts), {
          until: (left) => left.every((n) => n === 0)
        })
        expect(yield* counts).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0])
      })
    )

    it.effect("is a job where the program has jobs, which one process runs for each tick of the whole fleet", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        let sweeps = 0
        const counted = {
          ...tokens,
          sweep: Effect.zipRight(
            Effect.sync(() => sweeps++),
            tokens.sweep
          )
        }
        const worker = Sweeper.layerJob.pipe(
          Layer.provideMerge(SqlJobs.layer),
          Layer.provide(Layer.merge(unused, Layer.succeed(Tokens, counted)))
        )
        const fleet = yield* Effect.forEach([1, 2, 3], () => Layer.build(Layer.fresh(worker)))
        const look = Effect.forEach(fleet, (process) => Effect.provide(JobWorker.untilIdle(), process), {
          concurrency: "unbounded"
        })
        yield* look
        expect(sweeps).toBe(0)
        yield* fill
        for (const [index, pause] of (["10 minutes", "10 minutes", "3 hours"] as const).entries()) {
          yield* TestClock.adjust(pause)
          yield* look
          yield* look
          expect(sweeps).toBe(index + 1)
        }
        expect(yield* counts).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0])
      }).pipe(Effect.scoped)
    )

    it.effect("goes on with the other stores when one of them fails", () =>
      Effect.gen(function* () {
        const tokens = yield* Tokens
        yield* fill
        yield* TestClock.adjust("3 hours")
        const broken = { ...tokens, sweep: Effect.dieMessage("the table is away") }
        expect(yield* Effect.provideService(Sweeper.sweepAll, Tokens, broken)).toBe(8)
        expect(yield* Sweeper.sweepAll).toBe(1)
      })
    )
  })
})
