import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AppLayer } from "../../../layers/server/index.ts"
import { AuthRoutes } from "../../../routes/auth/index.ts"
import { Pipeline } from "../../../routes/http/index.ts"
import { DefaultLayout } from "../../../src/http/index.ts"
import * as Reporters from "../../../src/errors/Reporters.ts"
import { TemporaryDatabase } from "../../../testing/index.ts"
import * as MemoryMailer from "../../../testing/MemoryMailer.ts"
import * as WorkCounter from "../../../testing/WorkCounter.ts"

const table = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE TABLE cups (id INTEGER PRIMARY KEY)`)
const count = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT count(*) AS cups FROM cups`)

const services = Layer.mergeAll(
  TemporaryDatabase.layer(),
  DefaultLayout.layer({ name: "Teapots" }),
  Layer.provideMerge(MemoryMailer.layer, WorkCounter.layer)
)

it.scopedLive("mounts every route on another server from a database, a mailer and a layout", () =>
  Effect.gen(function* () {
    const reported: Array<string> = []
    const app = AppLayer.layerMounted({ migrations: { "0001_cups": table } }).pipe(
      Layer.tap((context) => Effect.provide(Effect.orDie(count), context)),
      Layer.provideMerge(services)
    )
    const reporter = Reporters.layer(({ message }) => void reported.push(message))
    const context = yield* Layer.build(Layer.provideMerge(reporter, app))
    const boil = HttpLayerRouter.route("GET", "/boil", Effect.die(new Error("The kettle is empty")))
    const routes = HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.pages([...AuthRoutes.routes, boil])))
    const { dispose, handler } = HttpLayerRouter.toWebHandler(routes, { disableLogger: true })
    yield* Effect.addFinalizer(() => Effect.promise(dispose))
    const get = (path: string) => Effect.promise(() => handler(new Request(`http://localhost${path}`), context))

    const page = yield* get("/login")
    expect([page.status, yield* Effect.promise(() => page.text())]).toEqual([200, expect.stringContaining("Teapots")])
    expect((yield* get("/account")).headers.get("location")).toBe("/login")
    expect((yield* get("/boil")).status).toBe(500)
    expect(reported).toEqual(["The kettle is empty"])
  })
)
