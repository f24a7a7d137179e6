import { HttpServerRequest } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Layer, Option, Redacted } from "effect"
import * as QueuedMailer from "../../../layers/mail/QueuedMailer.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as German from "../../../demo/texts/German.ts"
import * as AccountMail from "../../../routes/auth/internal/AccountMail.ts"
import * as SplitToken from "../../../src/session/internal/SplitToken.ts"
import { Tokens } from "../../../src/auth/Tokens.ts"
import { Users } from "../../../src/auth/Users.ts"
import * as DefaultLayout from "../../../src/http/DefaultLayout.ts"
import * as Languages from "../../../src/http/Languages.ts"
import { MailJob } from "../../../src/mail/internal/MailJob.ts"
import * as TestJobs from "../../../testing/TestJobs.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { stores } from "../../layers/auth/Stores.ts"

const appUrl = "https://app.example"

const asked = (language: string) =>
  HttpServerRequest.fromWeb(new Request("http://localhost/forgot", { headers: { "accept-language": language } }))

const queuedFor = (email: string) =>
  Effect.flatMap(TestJobs.enqueued(MailJob), (all) => Effect.fromNullable(all.find(({ to }) => to === email)))

const program = Layer.mergeAll(
  DefaultLayout.layer({ name: "Harbour" }),
  Languages.layer({ en: Layer.empty, de: German.layer }),
  Layer.succeed(HttpServerRequest.HttpServerRequest, asked("en"))
)

describeDatabases("MailedLink with the mail queue", (database) => {
  const queued = QueuedMailer.layer.pipe(
    Layer.provideMerge(SqlJobs.layer),
    Layer.provideMerge(stores(database, { appUrl })),
    Layer.provideMerge(program)
  )
  layer(queued)((it) => {
    it.effect("stores a message whose link redeems the token that was stored with it", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const tokens = yield* Tokens
        const email = "ann@example.com"
        const id = yield* users.enroll(email, Redacted.make("quiet harbour"))
        yield* AccountMail.post("recovery", { id, email, verified: false })
        const message = yield* queuedFor(email)
        const [, selector = "", verifier = ""] =
          /https:\/\/app\.example\/reset\/(\w+)\/(\w+)/.exec(Redacted.value(message.text)) ?? []
        expect(yield* tokens.redeem(SplitToken.fromLink(selector, verifier), "recovery")).toEqual(Option.some(id))
      })
    )

    it.effect("queues the message in the language of the request, with the program's name", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const email = "anna@example.com"
        const id = yield* users.enroll(email, Redacted.make("quiet harbour"))
        yield* Effect.provideService(
          AccountMail.post("recovery", { id, email, verified: false }),
          HttpServerRequest.HttpServerRequest,
          asked("de-AT")
        )
        const message = yield* queuedFor(email)
        expect(message.subject).toBe("Neues Passwort wählen")
        expect(Redacted.value(message.text)).toContain("bei Harbour")
        expect(Redacted.value(message.html)).toContain('<html lang="de">')
      })
    )

    it.effect("stores no token when its message cannot be stored, and the request succeeds", () =>
      Effect.gen(function* () {
        const users = yield* Users
        const sql = yield* SqlClient.SqlClient
        const email = "no address"
        const id = yield* users.enroll(email, Redacted.make("quiet harbour"))
        yield* AccountMail.post("verification", { id, email, verified: false })
        expect(yield* sql`SELECT selector FROM tokens WHERE user_id = ${id}`).toEqual([])
      })
    )
  })
})
