// Stores tokens with their messages as fast as it can, each pair in one transaction, until it is killed. It prints each
// pair that is stored.
import { SqlClient } from "@effect/sql"
import { NodeRuntime } from "@effect/platform-node"
import { Effect, Layer } from "effect"
import * as Database from "../../layers/database/Database.ts"
import * as SqlJobs from "../../layers/jobs/SqlJobs.ts"
import * as QueuedMailer from "../../layers/mail/QueuedMailer.ts"
import { Mailer } from "../../src/mail/Mailer.ts"
import { messageTo } from "./Messages.ts"

Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const mailer = yield* Mailer
  for (let count = 0; ; count++) {
    const selector = `n${count}`
    const token = sql`INSERT INTO tokens (selector, verifier, user_id, purpose, expires, created_at)
      VALUES (${selector}, 'x', ${selector}, 'verification', 1, 1)`
    yield* mailer.sendFrom(Effect.as(token, messageTo(`${selector}@example.com`)))
    yield* Effect.sync(() => process.stderr.write(`${selector}\n`))
  }
}).pipe(
  Effect.provide(QueuedMailer.layer.pipe(Layer.provide(SqlJobs.layer), Layer.provideMerge(Database.layerConfig))),
  NodeRuntime.runMain
)
