import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import * as QueuedMailer from "../../../layers/mail/QueuedMailer.ts"
import * as SqlMailQueue from "../../../layers/mail/SqlMailQueue.ts"
import * as MailedLink from "../../../routes/auth/MailedLink.ts"
import * as SplitToken from "../../../src/auth/SplitToken.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import { MailQueue } from "../../../src/mail/MailQueue.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { stores } from "../../layers/auth/Stores.ts"

const appUrl = "https://app.example"

describeDatabases("MailedLink with the mail queue", (database) => {
  const queued = QueuedMailer.layer.pipe(
    Layer.provideMerge(SqlMailQueue.layer),
    Layer.provideMerge(stores(database, { appUrl }))
  )
  layer(queued)((it) => {
    it.effect("stores a message whose link redeems the token that was stored with it", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const tokens = yield* Tokens
        const queue = yield* MailQueue
        const email = "ann@example.com"
        const id = yield* users.enroll(email, Redacted.make("quiet harbour"))
        yield* MailedLink.post("recovery", { id, email, verified: false })
        const claim = Option.getOrThrow(yield* queue.claim)
        expect(claim.message.to).toBe(email)
        const [, selector = "", verifier = ""] =
          /https:\/\/app\.example\/reset\/(\w+)\/(\w+)/.exec(Redacted.value(claim.message.text)) ?? []
        expect(yield* tokens.redeem(SplitToken.fromLink(selector, verifier), "recovery")).toEqual(Option.some(id))
      })
    )

    it.effect("stores no token when its message cannot be stored, and the request succeeds", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const sql = yield* SqlClient.SqlClient
        const email = "no address"
        const id = yield* users.enroll(email, Redacted.make("quiet harbour"))
        yield* MailedLink.post("verification", { id, email, verified: false })
        expect(yield* sql`SELECT selector FROM tokens WHERE user_id = ${id}`).toEqual([])
      })
    )
  })
})
