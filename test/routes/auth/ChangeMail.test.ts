// Messages that are sent long after the request: in its language, with the name and the texts of the program.
import { expect, layer } from "@effect/vitest"
import { Duration, Effect, Layer, TestClock } from "effect"
import * as AccountDeletion from "../../../routes/auth/AccountDeletion.ts"
import * as LostFactors from "../../../routes/auth/LostFactors.ts"
import { DueDeletions, DueLostFactorRequests } from "../../../src/auth/internal/AccountWorkers.ts"
import * as DefaultLayout from "../../../src/http/DefaultLayout.ts"
import * as German from "../../../src/texts/German.ts"
import * as Languages from "../../../src/http/Languages.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import * as FactorApp from "../../support/FactorApp.ts"

const languages = Languages.layer({ en: Layer.empty, de: German.layer })
const layout = DefaultLayout.layer({ name: "Teekanne" })
const workers = Layer.merge(AccountDeletion.layer, LostFactors.layer)
const services = Layer.provideMerge(workers, Layer.merge(languages, layout))
const settings = { deletionGrace: Duration.hours(1), factorRecoveryDelay: Duration.hours(1) }

const lastTo = (email: string) =>
  Effect.flatMap(CapturedMail, (mail) => Effect.map(mail.messagesTo(email), (messages) => messages.at(-1)))

// A header is no language to store as it is.
const readers = [
  ["de-AT,de;q=0.9,en;q=0.1", "Ihr Konto wurde gelöscht", "Verlorene zweite Faktoren entfernen"],
  ["fr, *;q=0.1", "Your account was deleted", "Remove your lost second factors"],
  [undefined, "Your account was deleted", "Remove your lost second factors"],
  ["de; DROP TABLE users; --", "Your account was deleted", "Remove your lost second factors"]
] as const

describeDatabases("A message outside of a request", (database) => {
  layer(TestApp.layer([], { database: database.layer, settings, services }))((it) => {
    it.effect("after a deletion has the language of the request for it", () =>
      Effect.gen(function* () {
        for (const [header, subject] of readers) {
          const browser = yield* TestApp.signedInUser()
          if (header !== undefined) browser.headers.set("accept-language", header)
          yield* browser.submit("/account/delete", {})
          yield* TestClock.adjust("1 hour")
          yield* Effect.flatMap(DueDeletions, ({ sweep }) => sweep)
          expect(yield* lastTo(browser.user.email)).toMatchObject({
            subject,
            text: expect.stringContaining("Teekanne")
          })
        }
      })
    )

    it.effect("with the link of a recovery has the language of the request for it", () =>
      Effect.gen(function* () {
        for (const [header, , subject] of readers) {
          const user = yield* TestApp.enrolledUser()
          yield* FactorApp.enrol(user)
          const guest = yield* TestApp.guest
          if (header !== undefined) guest.headers.set("accept-language", header)
          yield* guest.json("POST", "/login", { email: user.email, password: user.password })
          expect((yield* guest.submit("/login/factor/recovery", {})).status).toBe(303)
          yield* TestClock.adjust("1 hour")
          yield* Effect.flatMap(DueLostFactorRequests, ({ sweep }) => sweep)
          expect(yield* lastTo(user.email)).toMatchObject({ subject, text: expect.stringContaining("Teekanne") })
        }
      })
    )
  })
})
