import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Option, pipe, Redacted, String } from "effect"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PgClient } from "@effect/sql-pg"
import * as Migrations from "../../../layers/database/Migrations.ts"
import * as Tables from "../../../layers/database/Tables.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as OldMailQueue from "../../../layers/mail/internal/OldMailQueue.ts"
import * as QueuedMailer from "../../../layers/mail/QueuedMailer.ts"
import { Users } from "../../../src/auth/Users.ts"
import { Address, Line, MailMessage } from "../../../src/mail/MailMessage.ts"
import { JobStore } from "../../../src/jobs/internal/JobStore.ts"
import { counts } from "../../../src/mail/internal/MailJob.ts"
import { Mailer } from "../../../src/mail/Mailer.ts"
import { postgres, TestDatabase } from "../../support/Databases.ts"
import { Mount } from "../../../layers/server/index.ts"
import { AuthRoutes } from "../../../routes/auth/index.ts"
import { Respond } from "../../../routes/session/index.ts"
import { Pipeline } from "../../../routes/server/index.ts"
import { Upload } from "../../../routes/session/index.ts"
import { DefaultLayout } from "../../../src/http/index.ts"
import * as Reporters from "../../../src/errors/Reporters.ts"
import { TemporaryDatabase } from "../../../testing/index.ts"
import * as MemoryMailer from "../../../testing/MemoryMailer.ts"
import * as WorkCounter from "../../../testing/WorkCounter.ts"
import { eventually } from "../../support/Eventually.ts"
import * as Multipart from "../../support/Multipart.ts"

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
    const app = Mount.layer({ migrations: { "0001_cups": table } }).pipe(
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

it.scopedLive("receives uploads behind the CSRF check on another server, in the storage folder", () =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "mounted-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
    const settings = Layer.setConfigProvider(ConfigProvider.fromMap(new Map([["STORAGE_DIR", folder]])))
    const context = yield* Layer.build(Mount.layer().pipe(Layer.provideMerge(services), Layer.provide(settings)))
    const form = Upload.make({ files: { picture: { maxSize: "1 MiB", types: ["image/png"] } } })
    const save = Effect.map(Upload.read(form), ({ files }) => Respond.text(files.picture.path))
    const upload = pipe(HttpLayerRouter.route("POST", "/pictures", save), Upload.route(form))
    const routes = HttpLayerRouter.addAll(Pipeline.mounted(Pipeline.pages([...AuthRoutes.routes, upload])))
    const { dispose, handler } = HttpLayerRouter.toWebHandler(routes, { disableLogger: true })
    yield* Effect.addFinalizer(() => Effect.promise(dispose))
    const ask = (path: string, init: RequestInit) =>
      Effect.promise(async () => {
        const response = await handler(new Request(`http://localhost${path}`, init), context)
        return { status: response.status, cookies: response.headers.getSetCookie(), text: await response.text() }
      })

    const page = yield* ask("/login", {})
    const token = /name="_token" value="([^"]+)"/.exec(page.text)?.[1] ?? ""
    const cookie = page.cookies.map((line) => line.split(";", 1)[0]).join("; ")
    const send = (_token: string) => {
      const body = new FormData()
      body.append("_token", _token)
      body.append("picture", new Blob([new Uint8Array(Multipart.png(200_000))], { type: "image/png" }), "a.png")
      // As bytes: undici goes on to write a form into a body that was refused unread.
      const encoded = new Response(body)
      const type = encoded.headers.get("content-type") ?? ""
      return Effect.flatMap(
        Effect.promise(() => encoded.arrayBuffer()),
        (bytes) => ask("/pictures", { method: "POST", body: bytes, headers: { cookie, "content-type": type } })
      )
    }
    expect((yield* send("wrong")).status).toBe(403)
    expect(existsSync(join(folder, "uploads"))).toBe(false)
    const received = yield* send(token)
    expect([received.status, received.text.startsWith(join(folder, "uploads"))]).toEqual([200, true])
    yield* eventually(
      Effect.sync(() => existsSync(received.text)),
      (exists) => !exists
    )
  })
)

const accounts = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`CREATE TABLE accounts (id uuid PRIMARY KEY DEFAULT gen_random_uuid(), email text NOT NULL UNIQUE,
    password text NOT NULL, email_verified_at bigint)`
)

// The program's own client, which renames columns both ways.
const client = Layer.unwrapEffect(
  Effect.map(TestDatabase, ({ url }) =>
    PgClient.layer({
      url: Redacted.make(url),
      transformQueryNames: String.camelToSnake,
      transformResultNames: String.snakeToCamel
    })
  )
)

it.scopedLive("mounts on the program's own client, schema and accounts, with the mail queue beside", () =>
  Effect.gen(function* () {
    const tables = Tables.make({
      schema: "auth",
      prefix: "app_",
      users: { table: "accounts", key: { type: "uuid", generated: "database" } }
    })
    const own = Layer.provide(client, Layer.provide(Layer.effect(TestDatabase, TestDatabase), postgres.layerEmpty))
    const app = Layer.merge(
      Mount.layer({ migrations: { "0001_accounts": accounts }, tables }),
      Layer.provide(SqlJobs.layerWith({ tables }), Migrations.layerWith({ "0001_accounts": accounts }, { tables }))
    ).pipe(Layer.provideMerge(Layer.merge(own, Layer.provide(MemoryMailer.layer, WorkCounter.layer))))
    const context = yield* Layer.build(app)
    yield* Effect.gen(function* () {
      const users = yield* Users
      const store = yield* JobStore
      const id = yield* users.enroll("ann@example.com", Redacted.make("quiet harbour"))
      yield* users.confirm(id)
      expect(yield* users.findById(id)).toEqual(Option.some({ id, email: "ann@example.com", verified: true }))
      const queue = yield* Effect.provide(Mailer, QueuedMailer.layer)
      yield* queue.send(
        MailMessage.make({
          to: Address.make("ann@example.com"),
          subject: Line.make("Tea"),
          text: Redacted.make("It is ready."),
          html: Redacted.make("<p>It is ready.</p>")
        })
      )
      expect(yield* counts).toEqual({ ready: 1, delayed: 0, leased: 0, failed: 0 })
      expect(yield* store.claim("mail", 1)).toHaveLength(1)
      yield* Effect.scoped(Layer.build(OldMailQueue.layer(tables)))
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql<{ tableName: string }>`SELECT table_name FROM information_schema.tables
        WHERE table_schema = 'auth' ORDER BY table_name`
      expect(rows.map(({ tableName }) => tableName)).toEqual([
        "app_account_changes",
        "app_api_tokens",
        "app_factor_recoveries",
        "app_factor_settings",
        "app_factors",
        "app_framework_migrations",
        "app_job_ticks",
        "app_jobs",
        "app_keys",
        "app_linked_identities",
        "app_mail_queue",
        "app_notices",
        "app_passkey_challenges",
        "app_passkeys",
        "app_paused_queues",
        "app_pending_sign_ins",
        "app_program_migrations",
        "app_provider_flows",
        "app_rate_limits",
        "app_recovery_codes",
        "app_revocations",
        "app_sealing_keys",
        "app_security_events",
        "app_sessions",
        "app_tokens",
        "app_trusts"
      ])
    }).pipe(Effect.provide(context))
  })
)
