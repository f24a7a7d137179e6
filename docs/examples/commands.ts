// A program with a command of its own.
import { Command } from "@effect/cli"
import { SqlClient } from "@effect/sql"
import { Console, Effect } from "effect"
import { App } from "effect-framework"

const accounts = Command.make("accounts", {}, () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ count: number }>`SELECT COUNT(*) AS count FROM users`
    yield* Console.log(`${row?.count ?? 0} accounts`)
  })
).pipe(Command.withDescription("count the accounts"))

App.run({ name: "teapots", pages: [], commands: async () => [accounts] })
