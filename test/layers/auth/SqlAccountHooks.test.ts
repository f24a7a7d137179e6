// The program's own work at sign-up, sign-in and deletion: in the transaction, or after the response.
import { HttpLayerRouter, HttpServerRespondable, HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { describe, expect, it, layer } from "@effect/vitest"
import { Context, Data, Deferred, Effect, Exit, Fiber, Layer, Option, Ref, Schema, Scope } from "effect"
import * as SqlAccountHooks from "../../../layers/auth/SqlAccountHooks.ts"
import * as SqlProfile from "../../../layers/auth/SqlProfile.ts"
import * as Access from "../../../routes/auth/Access.ts"
import * as AccountDeletion from "../../../routes/auth/AccountDeletion.ts"
import * as FormState from "../../../routes/session/FormState.ts"
import * as Texts from "../../../routes/http/Texts.ts"
import { AccountId, CurrentIdentity } from "../../../src/session/Identity.ts"
import * as Profile from "../../../src/auth/Profile.ts"
import { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import { Users } from "../../../src/auth/Users.ts"
import { BackgroundWork } from "../../../testing/BackgroundWork.ts"
import { CapturedExceptions } from "../../../testing/CapturedExceptions.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases, sqlite, type TestEngine } from "../../support/Databases.ts"

const Member = Profile.make({
  signUp: Schema.Struct({ nickname: Schema.NonEmptyString }),
  fields: { nickname: { label: "Nickname" } }
})

/** What the hooks have done after responses, in memory. */
class Journal extends Context.Tag("test/Journal")<Journal, Ref.Ref<ReadonlyArray<string>>>() {}

class Closed extends Data.TaggedError("Closed") {
  [HttpServerRespondable.symbol]() {
    return HttpServerResponse.text("Sign-up is closed.", { status: 403 })
  }
}

const record = (event: string, id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO events ${sql.insert({ event, user_id: id })}`)

const note = (line: string) =>
  Effect.flatMap(
    Journal,
    Ref.update((lines) => [...lines, line])
  )

const nicknameOf = (id: AccountId) =>
  Effect.map(Member.find(id), (found) =>
    Option.match(found, { onNone: () => "nobody", onSome: ({ nickname }) => nickname })
  )

const Nickname = Schema.Struct({ nickname: Schema.String })

const hooks = SqlAccountHooks.layer({
  signUp: {
    inTransaction: ({ id }) =>
      Effect.gen(function* () {
        const nickname = yield* nicknameOf(id)
        yield* record(`signed up as ${nickname}`, id)
        if (nickname === "closed") return yield* new Closed()
        if (nickname === "broken") return yield* Effect.dieMessage("broken hook")
        if (nickname === "twice") yield* record(`signed up as ${nickname}`, id)
        if (nickname === "taken") {
          return yield* FormState.invalid(Nickname, { fieldErrors: { nickname: "Someone has this nickname." } })
        }
      }),
    afterResponse: ({ email, id }) =>
      Effect.gen(function* () {
        const { tag } = yield* Texts.language
        yield* note(`welcome ${email} in ${tag}`)
        if ((yield* nicknameOf(id)) === "late") return yield* Effect.fail("a failure after the response")
      })
  },
  signIn: {
    inTransaction: ({ id }) =>
      Effect.gen(function* () {
        yield* record("signed in", id)
        if ((yield* nicknameOf(id)) === "suspended") {
          return yield* FormState.invalid(Nickname, { status: 403, error: "This account is suspended." })
        }
      }),
    afterResponse: ({ email }) => note(`signed in ${email}`)
  },
  deletion: {
    inTransaction: ({ id }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`DELETE FROM events WHERE user_id = ${id}`
        if ((yield* nicknameOf(id)) === "kept") return yield* new Closed()
      }),
    afterResponse: ({ email }) => note(`deleted ${email}`)
  }
})

const migrations = {
  "0001_members": Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    yield* sql`CREATE TABLE members (user_id TEXT PRIMARY KEY REFERENCES users (id), nickname TEXT NOT NULL)`
    yield* sql`CREATE TABLE events (user_id TEXT NOT NULL REFERENCES users (id), event TEXT NOT NULL,
      PRIMARY KEY (user_id, event))`
  })
}

const leave = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  return HttpServerResponse.text(String(yield* AccountDeletion.remove(id)))
})

const services = hooks.pipe(
  Layer.provideMerge(SqlProfile.layer(Member, { table: "members" })),
  Layer.provideMerge(Layer.effect(Journal, Ref.make<ReadonlyArray<string>>([])))
)

const app = (database: TestEngine) =>
  TestApp.layer([HttpLayerRouter.route("POST", "/leave", Access.requireUser(leave))], {
    database: database.layerEmpty,
    migrations,
    services
  })

const password = "quiet harbour"

const events = (id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.map(sql<{ event: string }>`SELECT event FROM events WHERE user_id = ${id} ORDER BY event`, (rows) =>
      rows.map(({ event }) => event)
    )
  )

const journal = Effect.zipRight(
  Effect.flatMap(BackgroundWork, ({ idle }) => idle),
  Effect.flatMap(Journal, Ref.get)
)

const reports = Effect.map(
  Effect.flatMap(CapturedExceptions, ({ reported }) => reported),
  ({ length }) => length
)

const account = (email: string) => Effect.flatMap(Users, ({ fetch }) => fetch(email))

/** Signs up with this nickname, which decides what the hooks do. */
const signUp = Effect.fnUntraced(function* (nickname: string) {
  const guest = yield* TestApp.guest
  const email = `${nickname}@example.com`
  const response = yield* guest.submit("/register", { email, password, password_confirmation: password, nickname })
  return { guest, email, response }
})

describeDatabases("hooks", (database) => {
  layer(app(database))((it) => {
    it.effect("run in the transaction of the sign-up, which has the profile, and after its response", () =>
      Effect.gen(function* () {
        const { email, response } = yield* signUp("ann")
        expect(response).toMatchObject({ status: 303, location: "/account" })
        const { id } = Option.getOrThrow(yield* account(email))
        expect(yield* events(id)).toEqual(["signed up as ann"])
        expect(yield* journal).toContain("welcome ann@example.com in en")
      })
    )

    it.effect.each([
      ["closed", 403, 0],
      ["broken", 500, 1],
      ["twice", 500, 1]
    ] as const)("that fail in the transaction leave no account behind: %s", ([nickname, status, exceptions]) =>
      Effect.gen(function* () {
        const before = yield* reports
        const { email, guest, response } = yield* signUp(nickname)
        expect(response.status).toBe(status)
        expect(Option.isNone(yield* account(email))).toBe(true)
        const sql = yield* SqlClient.SqlClient
        expect(yield* sql`SELECT * FROM events WHERE event = ${`signed up as ${nickname}`}`).toEqual([])
        expect(yield* sql`SELECT * FROM members WHERE nickname = ${nickname}`).toEqual([])
        expect((yield* guest.get("/account")).location).toBe("/login")
        expect(yield* journal).not.toContain(`welcome ${email} in en`)
        expect((yield* reports) - before).toBe(exceptions)
      })
    )

    it.effect("may refuse the form: it is shown again with every field", () =>
      Effect.gen(function* () {
        const { email, response } = yield* signUp("taken")
        expect(response.status).toBe(422)
        expect(response.body).toContain('<p class="error" id="nickname-error">Someone has this nickname.</p>')
        expect(response.body).toContain('value="taken@example.com"')
        expect(response.body).toContain('value="taken"')
        expect(Option.isNone(yield* account(email))).toBe(true)
        const guest = yield* TestApp.guest
        const json = yield* guest.json("POST", "/register", { email, password, nickname: "taken" })
        expect(json).toMatchObject({ status: 422, json: { fields: { nickname: "Someone has this nickname." } } })
      })
    )

    it.effect("that fail after the response are reported once and change nothing", () =>
      Effect.gen(function* () {
        const before = yield* reports
        const { email, response } = yield* signUp("late")
        expect(response.status).toBe(303)
        expect(yield* journal).toContain("welcome late@example.com in en")
        expect(Option.isSome(yield* account(email))).toBe(true)
        expect((yield* reports) - before).toBe(1)
      })
    )

    it.effect("run at a sign-in with the right password, and refuse it", () =>
      Effect.gen(function* () {
        const { email } = yield* signUp("bob")
        const { id } = Option.getOrThrow(yield* account(email))
        const guest = yield* TestApp.guest
        yield* guest.submit("/login", { email, password: "wrong harbour" })
        expect(yield* events(id)).toEqual(["signed up as bob"])
        expect(yield* guest.submit("/login", { email, password })).toMatchObject({ status: 303, location: "/account" })
        expect(yield* events(id)).toEqual(["signed in", "signed up as bob"])
        expect(yield* journal).toContain("signed in bob@example.com")

        const suspended = yield* signUp("suspended")
        const user = Option.getOrThrow(yield* account(suspended.email))
        const other = yield* TestApp.guest
        const refused = yield* other.submit("/login", { email: suspended.email, password })
        expect(refused.status).toBe(403)
        expect(refused.text).toContain("This account is suspended.")
        expect(refused.body).toContain('value="suspended@example.com"')
        expect((yield* other.get("/account")).location).toBe("/login")
        expect(yield* events(user.id)).toEqual(["signed up as suspended"])
        expect(yield* journal).not.toContain("signed in suspended@example.com")
      })
    )

    it.effect("run before an account is deleted, with all that belongs to it", () =>
      Effect.gen(function* () {
        const { email, guest } = yield* signUp("eve")
        const { id } = Option.getOrThrow(yield* account(email))
        const left = yield* guest.submit("/leave", {})
        expect(left).toMatchObject({ status: 200, body: "true" })
        expect((yield* guest.get("/account")).location).toBe("/login")
        expect(Option.isNone(yield* account(email))).toBe(true)
        expect(yield* Member.find(id)).toEqual(Option.none())
        expect(yield* journal).toContain("deleted eve@example.com")
        const sql = yield* SqlClient.SqlClient
        for (const table of ["sessions", "tokens", "trusts"]) {
          expect(yield* sql`SELECT user_id FROM ${sql(table)} WHERE user_id = ${id}`).toEqual([])
        }
        expect(yield* AccountDeletion.remove(id)).toBe(false)
        expect(yield* AccountDeletion.remove(AccountId.make("nobody"))).toBe(false)
      })
    )

    it.effect("that refuse a deletion keep the account and everything of it", () =>
      Effect.gen(function* () {
        const { email, guest } = yield* signUp("kept")
        const { id } = Option.getOrThrow(yield* account(email))
        expect((yield* guest.submit("/leave", {})).status).toBe(403)
        expect((yield* guest.get("/account")).status).toBe(200)
        expect(yield* events(id)).toEqual(["signed up as kept"])
        expect(yield* Member.find(id)).toEqual(Option.some({ nickname: "kept" }))
      })
    )

    it.effect("of a deletion outside of a request have run when it returns", () =>
      Effect.gen(function* () {
        const { email } = yield* signUp("zoe")
        const { id } = Option.getOrThrow(yield* account(email))
        expect(yield* AccountDeletion.remove(id)).toBe(true)
        expect(yield* Effect.flatMap(Journal, Ref.get)).toContain("deleted zoe@example.com")
        const recorded = yield* Effect.flatMap(SecurityEvents, ({ list }) => list(id, { events: ["AccountDeleted"] }))
        expect(recorded.items).toMatchObject([{ actor: "operator", device: { address: "", userAgent: "" } }])
      })
    )
  })
})

describe("a program that stops", () => {
  it.scopedLive("waits for the hooks after its responses", () =>
    Effect.gen(function* () {
      const [started, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const done = yield* Ref.make(false)
      const work = Effect.zipRight(Deferred.succeed(started, undefined), Deferred.await(released))
      const slow = SqlAccountHooks.layer({
        signUp: { afterResponse: () => Effect.zipRight(work, Ref.set(done, true)) }
      })
      const scope = yield* Scope.make()
      const built = yield* Layer.buildWithScope(
        TestApp.layer([], { database: sqlite.layerEmpty, services: slow }),
        scope
      )
      const guest = yield* Effect.provide(TestApp.guest, built)
      const made = yield* guest.json("POST", "/register", { email: "ann@example.com", password })
      expect(made.status).toBe(201)
      yield* Deferred.await(started)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      expect(yield* Ref.get(done)).toBe(false)
      yield* Deferred.succeed(released, undefined)
      yield* Fiber.join(closing)
      expect(yield* Ref.get(done)).toBe(true)
    })
  )
})
