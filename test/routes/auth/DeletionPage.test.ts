// The deletion of an account over real sockets: asked for, taken back, carried out by several workers once.
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Duration, Effect, Layer, Option, TestClock } from "effect"
import * as SqlAccountHooks from "../../../layers/auth/SqlAccountHooks.ts"
import * as SqlAuthentication from "../../../layers/auth/SqlAuthentication.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as AccountDeletion from "../../../routes/auth/AccountDeletion.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import * as AuthConfig from "../../../src/auth/AuthConfig.ts"
import { DueDeletions } from "../../../src/auth/internal/AccountWorkers.ts"
import { Forbidden } from "../../../src/auth/AuthError.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Users } from "../../../src/auth/Users.ts"
import { Jobs } from "../../../src/jobs/Jobs.ts"
import * as Mailer from "../../../src/mail/Mailer.ts"
import { CapturedMail } from "../../../testing/CapturedMail.ts"
import * as InsecurePassword from "../../../testing/InsecurePassword.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import * as TestJobs from "../../../testing/TestJobs.ts"
import { describeDatabases, TestDatabase, type TestEngine } from "../../support/Databases.ts"

const path = "/account/delete"

const migrations = {
  "0001_farewells": Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE farewells (email TEXT NOT NULL)`)
}

// Not unique: a hook that runs twice leaves two rows.
const hooks = SqlAccountHooks.layer({
  deletion: {
    inTransaction: ({ email }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO farewells ${sql.insert({ email })}`
        if (email.startsWith("unpaid")) yield* new Forbidden({ reason: "There is a bill to pay." })
      })
  }
})

const farewells = (email: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql`SELECT email FROM farewells WHERE email = ${email}`, ({ length }) => length)
  )

const silent = Layer.succeed(
  Mailer.Mailer,
  Mailer.fromSend(() => Effect.void)
)

class OtherWorker extends Context.Tag("test/OtherWorker")<OtherWorker, Context.Tag.Service<DueDeletions>>() {}

/** The program, and another worker of it with a connection of its own. */
const program = (database: TestEngine) =>
  Layer.unwrapScoped(
    Effect.map(Layer.build(database.layer), (connection) => {
      const worker = Layer.provideMerge(AccountDeletion.layer, hooks)
      const stores = Layer.merge(SqlAuthentication.layerWithoutSweeper(), Layer.fresh(SqlJobs.layer)).pipe(
        Layer.provide(InsecurePassword.layer),
        Layer.provideMerge(AuthConfig.layerWith({})),
        Layer.provideMerge(Layer.merge(silent, database.layerAt(Context.get(connection, TestDatabase).url)))
      )
      const other = Layer.scoped(
        OtherWorker,
        Effect.map(Layer.build(Layer.provide(worker, stores)), (built) => Context.get(built, DueDeletions))
      )
      const server = TestApp.layer([], {
        environment: "production",
        database: Layer.succeedContext(connection),
        migrations,
        services: worker
      })
      return Layer.merge(server, other)
    })
  )

const sweepBoth = Effect.gen(function* () {
  const [one, other] = [yield* DueDeletions, yield* OtherWorker]
  return yield* Effect.all([one.sweep, other.sweep, one.sweep, other.sweep], { concurrency: "unbounded" })
})

const exists = ({ id }: TestApp.TestUser) =>
  Effect.flatMap(Users, ({ findById }) => Effect.map(findById(id), Option.isSome))

const messagesTo = (email: string) => Effect.flatMap(CapturedMail, (mail) => mail.messagesTo(email))

describeDatabases("The deletion of an account", (database) => {
  layer(program(database))((it) => {
    it.effect("waits for fourteen days, in which nothing of the account is signed in", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        const { email, id, password } = browser.user
        const elsewhere = yield* TestApp.signedInUser(browser.user)
        const device = yield* TestApp.guest
        yield* device.submit("/login", { email, password, remember: "1" })
        const tokens = yield* ApiTokens
        const token = yield* tokens.create(id, { name: "x", scopes: [] })
        const account = yield* browser.get("/account")
        expect(account.body).toContain(`href="${path}"`)
        expect(account.text).toContain("For some time you can change your mind.")
        expect((yield* browser.get(path)).text).toContain("are deleted after 14 days")
        expect((yield* browser.submit(path, {})).location).toBe("/login")
        expect((yield* browser.get("/login")).text).toContain("Your account will be deleted on")
        for (const client of [browser, elsewhere, device]) {
          expect((yield* client.get("/account")).location).toBe("/login")
        }
        expect(Option.isNone(yield* tokens.verify(token.secret))).toBe(true)
        expect((yield* messagesTo(email)).at(-1)).toMatchObject({
          subject: "Your account will be deleted",
          text: expect.stringContaining("It is deleted after 14 days.")
        })
        yield* TestClock.adjust("13 days")
        expect(yield* sweepBoth).toEqual([0, 0, 0, 0])
        yield* TestClock.adjust("1 day")
        expect((yield* sweepBoth).reduce((sum, one) => sum + one, 0)).toBe(1)
        expect([yield* exists(browser.user), yield* farewells(email)]).toEqual([false, 1])
        expect((yield* browser.submit("/login", { email, password })).status).toBe(401)
        const events = yield* SecurityEvents
        const { items } = yield* events.list(id, { events: ["DeletionRequested", "AccountDeleted"] })
        expect(items).toMatchObject([{ _tag: "AccountDeleted", actor: "system" }, { _tag: "DeletionRequested" }])
      })
    )

    it.effect("is taken back by a sign-in and a button, and not by the sign-in alone", () =>
      Effect.gen(function* () {
        const first = yield* TestApp.signedInUser()
        yield* first.submit(path, {})
        const browser = yield* TestApp.signedInUser(first.user)
        const page = yield* browser.get("/account")
        expect(page.text).toContain("This account will be deleted on")
        expect((yield* browser.get(path)).text).toContain("This account will be deleted on")
        expect((yield* browser.request("/account/delete/cancel", { form: {} })).status).toBe(403)
        expect((yield* browser.submit("/account/delete/cancel", {})).location).toBe("/account")
        expect((yield* browser.get("/account")).text).toContain("Your account is kept.")
        expect((yield* browser.get(path)).text).not.toContain("will be deleted on")
        yield* TestClock.adjust("14 days")
        yield* sweepBoth
        expect(yield* exists(first.user)).toBe(true)
      })
    )

    it.effect("is taken back by a reset of the password", () =>
      Effect.gen(function* () {
        const thief = yield* TestApp.signedInUser()
        const { email } = thief.user
        yield* thief.submit(path, {})
        yield* thief.submit("/forgot", { email })
        const link = yield* Effect.flatMap(CapturedMail, ({ linkTo }) => linkTo(email))
        const password = "a third harbour"
        const owner = yield* TestApp.guest
        yield* owner.submit(link, { password, password_confirmation: password })
        yield* TestClock.adjust("14 days")
        yield* sweepBoth
        expect(yield* exists(thief.user)).toBe(true)
      })
    )

    it.effect("does not happen when a hook of the program refuses it, and is tried again", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser({ email: `unpaid-${database.name}@example.com` })
        const browser = yield* TestApp.signedInUser(user)
        yield* browser.submit(path, {})
        yield* TestClock.adjust("14 days")
        expect(yield* sweepBoth).toEqual([0, 0, 0, 0])
        expect([yield* exists(user), yield* farewells(user.email)]).toEqual([true, 0])
      })
    )

    it.effect("is told when it has happened", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        yield* browser.submit(path, {})
        yield* TestClock.adjust("14 days")
        yield* Effect.flatMap(DueDeletions, ({ sweep }) => sweep)
        expect((yield* messagesTo(browser.user.email)).at(-1)?.subject).toBe("Your account was deleted")
      })
    )

    it.effect("needs a recent confirmation and the form token", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        expect((yield* browser.request(path, { form: {} })).status).toBe(403)
        yield* TestClock.adjust("10 minutes")
        expect((yield* browser.get(path)).location).toBe("/confirm")
        expect((yield* browser.submit(path, {})).location).toBe("/confirm")
        expect((yield* browser.json("POST", path)).status).toBe(403)
        expect((yield* browser.get("/account")).text).not.toContain("will be deleted")
        expect((yield* (yield* TestApp.guest).get(path)).location).toBe("/login")
      })
    )
  })
})

const alone = Layer.provideMerge(AccountDeletion.layer, hooks)
const settings = { deletionGrace: Duration.hours(1) }

layer(TestApp.layer([], { migrations, settings, services: alone }))("The job of deletions", (it) => {
  it.effect("deletes what is due, within ten minutes", () =>
    Effect.gen(function* () {
      const browser = yield* TestApp.signedInUser()
      yield* TestJobs.run
      yield* browser.submit(path, {})
      yield* TestClock.adjust("59 minutes")
      yield* TestJobs.run
      expect(yield* exists(browser.user)).toBe(true)
      yield* TestClock.adjust("11 minutes")
      yield* TestJobs.run
      expect(yield* exists(browser.user)).toBe(false)
      expect(yield* Effect.flatMap(Jobs, ({ list }) => list({ queue: "accounts" }))).toMatchObject([
        { name: "auth.deletions", state: "done", attempts: 1 },
        { name: "auth.deletions", state: "done", attempts: 1 }
      ])
    })
  )
})

layer(TestApp.layer([]))("A program without AccountDeletion.layer", (it) => {
  it.effect("offers no deletion", () =>
    Effect.gen(function* () {
      const browser = yield* TestApp.signedInUser()
      expect((yield* browser.get("/account")).body).not.toContain(path)
      expect((yield* browser.get(path)).status).toBe(404)
      expect((yield* browser.submit(path, {})).status).toBe(404)
    })
  )
})

layer(TestApp.layer([], { migrations, services: Layer.merge(AccountDeletion.layer, hooks) }))(
  "A program whose worker has no hooks",
  (it) => {
    it.effect("fails where it would offer a deletion without them", () =>
      Effect.gen(function* () {
        const browser = yield* TestApp.signedInUser()
        expect((yield* browser.get(path)).status).toBe(500)
      })
    )
  }
)
