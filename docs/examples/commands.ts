// A program with a command of its own.
import { Command } from "@effect/cli"
import { SqlClient } from "@effect/sql"
import { Console, Effect, Layer } from "effect"
import { Cli } from "effect-framework"
import { DefaultLayout } from "effect-framework/http"
import { type AppConfig, AppLayer } from "effect-framework/layers/server"
import { AuthRoutes } from "effect-framework/routes/auth"
import { Pipeline } from "effect-framework/routes/http"

const accounts = Command.make("accounts", {}, () =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ count: number }>`SELECT COUNT(*) AS count FROM users`
    yield* Console.log(`${row?.count ?? 0} accounts`)
  })
).pipe(Command.withDescription("count the accounts"))

const layer = (settings: AppConfig.AppConfig) =>
  AppLayer.server(Pipeline.app(Pipeline.pages(AuthRoutes.routes)), settings).pipe(
    Layer.provide(DefaultLayout.layer({ name: "Teapots" })),
    Layer.provide(AppLayer.layer(settings))
  )

Cli.run({ name: "teapots", app: async () => ({ layer }), commands: async () => [accounts] })
