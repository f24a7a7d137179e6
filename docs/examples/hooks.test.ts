import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { AuthError, Users } from "effect-framework/auth"
import { SqlAccountHooks } from "effect-framework/layers/auth"
import { Mailer, MailMessage } from "effect-framework/mail"
import { AccountDeletion } from "effect-framework/routes/auth"
import { CapturedMail, TestApp } from "effect-framework/testing"

const welcome = (email: string) =>
  Effect.map(MailMessage.parseAddress(email), (to) => {
    const [text, html] = [Redacted.make("Ten points are yours."), Redacted.make("<p>Ten points are yours.</p>")]
    return new MailMessage.MailMessage({ to, subject: MailMessage.Line.make("Welcome"), text, html })
  })

const addPoints = (id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO points ${sql.insert({ user_id: id, points: 10 })}`)

const deletePoints = (id: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`DELETE FROM points WHERE user_id = ${id}`)

const services = SqlAccountHooks.layer({
  signUp: {
    inTransaction: ({ id }) => addPoints(id),
    afterResponse: ({ email }) => Mailer.sendOrLog(welcome(email))
  },
  signIn: {
    inTransaction: ({ verified }) =>
      verified ? Effect.void : new AuthError.Forbidden({ reason: "Confirm your address first." })
  },
  deletion: { inTransaction: ({ id }) => deletePoints(id) }
})

const migrations = {
  "0001_points": Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`CREATE TABLE points (user_id TEXT PRIMARY KEY REFERENCES users (id), points INTEGER NOT NULL)`
  )
}

const points = Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ points: number }>`SELECT points FROM points`)

layer(TestApp.layer([], { migrations, services }))("a new account", (it) => {
  it.effect("has ten points from its first moment until it is deleted", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const [email, password] = ["ann@example.com", "quiet harbour"]
      expect((yield* guest.json("POST", "/register", { email, password })).status).toBe(201)
      expect(yield* points).toEqual([{ points: 10 }])
      const { messagesTo } = yield* CapturedMail.CapturedMail
      expect((yield* messagesTo(email)).map(({ subject }) => subject)).toContain("Welcome")

      const again = yield* (yield* TestApp.guest).json("POST", "/login", { email, password })
      expect(again).toMatchObject({ status: 403, json: { error: "Confirm your address first." } })

      const users = yield* Users.Users
      const { id } = Option.getOrThrow(yield* users.fetch(email))
      expect(yield* AccountDeletion.remove(id)).toBe(true)
      expect(yield* points).toEqual([])
    })
  )
})
