import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Respond } from "effect-framework/routes/session"
import { Pipeline } from "effect-framework/routes/server"
import { CapturedExceptions, TestApp } from "effect-framework/testing"

const orders = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT number FROM orders`)

const undecided = [HttpLayerRouter.route("GET", "/orders", Effect.map(orders, Respond.json))]

// @ts-expect-error: the parameter is of type UnhandledFailure<SqlError>.
Pipeline.pages(undecided)

const routes = [HttpLayerRouter.route("GET", "/orders", Effect.map(Effect.orDie(orders), Respond.json))]

layer(TestApp.layer(routes, { environment: "production" }))("GET /orders", (it) => {
  it.effect("hides a statement that fails from the client and reports it", () =>
    Effect.gen(function* () {
      const guest = yield* TestApp.guest
      const response = yield* guest.json("GET", "/orders")
      expect([response.status, response.json]).toEqual([500, { error: "Internal Server Error" }])
      const { reported } = yield* CapturedExceptions.CapturedExceptions
      expect((yield* reported).map((throwable) => throwable.class)).toEqual(["SqlError"])
    })
  )
})
