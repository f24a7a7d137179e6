import { Effect, Layer, Redacted } from "effect"
import { DatabaseUrl } from "effect-framework/database"
import { Jobs } from "effect-framework/jobs"
import { Mailer, MailTemplates } from "effect-framework/mail"
import { Database, Migrations } from "effect-framework/layers/database"
import { SqlJobs } from "effect-framework/layers/jobs"
import { QueuedMailer } from "effect-framework/layers/mail"

const program = Effect.gen(function* () {
  const token = Redacted.make("5f0c2e1a9b8d7c6f.e3b0") // usually: yield* tokens.mint(user, "recovery")
  const message = MailTemplates.recovery({ to: "ann@example.com", base: "https://app.example", token, ttl: "1 hour" })
  yield* Mailer.sendOrLog(message)
  const jobs = yield* Jobs.Jobs
  console.log(yield* jobs.counts)
})

const queued = QueuedMailer.layer.pipe(
  Layer.provideMerge(SqlJobs.layer),
  Layer.provide(Migrations.layer),
  Layer.provideMerge(Database.layer(DatabaseUrl.Sqlite({ path: "mail.sqlite" })))
)

await Effect.runPromise(Effect.provide(program, queued))
