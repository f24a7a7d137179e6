import { expect, layer } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
import * as SqlMailQueue from "../../../layers/mail/SqlMailQueue.ts"
import * as MailQueueCheck from "../../../layers/mail/MailQueueCheck.ts"
import { MailQueue } from "../../../src/mail/MailQueue.ts"
import * as HealthChecks from "../../../src/observability/HealthChecks.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { messageTo } from "../../support/Messages.ts"

const statuses = Effect.flatMap(HealthChecks.HealthChecks, ({ run }) =>
  Effect.map(run, (results) => results.map(({ name, status }) => `${name} ${status}`))
)

describeDatabases("The check of the mail queue", (database) => {
  layer(
    MailQueueCheck.layer({ maxAge: "10 minutes" }).pipe(
      Layer.provideMerge(HealthChecks.layer),
      Layer.provideMerge(SqlMailQueue.layer),
      Layer.provideMerge(database.layer)
    )
  )((it) => {
    it.effect("fails while an e-mail has been ready for longer than the limit", () =>
      Effect.gen(function* () {
        const queue = yield* MailQueue
        expect(yield* statuses).toEqual(["mail queue ok"])
        yield* queue.enqueue(messageTo("ann@example.com"))
        yield* TestClock.adjust("10 minutes")
        expect(yield* statuses).toEqual(["mail queue ok"])
        yield* TestClock.adjust("1 millis")
        expect(yield* statuses).toEqual(["mail queue failed"])
        yield* queue.claim
        expect(yield* statuses).toEqual(["mail queue ok"])
      })
    )
  })
})
