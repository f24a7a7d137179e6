// Who may change the shop.
import { Args, Command } from "@effect/cli"
import type { HttpServerResponse } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { Console, Effect } from "effect"
import { Identity } from "effect-framework/auth"
import { Access } from "effect-framework/routes/auth"
import { Catcher } from "effect-framework/routes/errors"

const isAdmin = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { id } = yield* Identity.CurrentIdentity
  return (yield* Effect.orDie(sql`SELECT id FROM admins WHERE id = ${id}`)).length > 0
})

/** For signed-in admins; other users get 403. */
export const requireAdmin = <E, R>(handler: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Access.requireUser(Effect.if(isAdmin, { onTrue: () => handler, onFalse: () => Catcher.status(403) }))

/** `promote EMAIL` makes an account an admin. */
export const promote = Command.make("promote", { email: Args.text({ name: "email" }) }, ({ email }) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql`INSERT INTO admins (id) SELECT id FROM auth_users WHERE email = ${email}
      ON CONFLICT (id) DO NOTHING RETURNING id`
    yield* Console.log(rows.length > 0 ? `${email} is an admin` : `${email} has no account, or is an admin already`)
  })
).pipe(Command.withDescription("make an account an admin"))
