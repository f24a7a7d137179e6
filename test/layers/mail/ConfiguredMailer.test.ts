import { SqlClient } from "@effect/sql"
import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as JobWorker from "../../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as ConfiguredMailer from "../../../layers/mail/ConfiguredMailer.ts"
import * as QueuedMailer from "../../../layers/mail/QueuedMailer.ts"
import * as Handlers from "../../../src/jobs/internal/Handlers.ts"
import { type Delivery, Transport } from "../../../src/mail/MailConfig.ts"
import { Address, Line, Sender } from "../../../src/mail/MailMessage.ts"
import { Mailer } from "../../../src/mail/Mailer.ts"
import { sqlite } from "../../support/Databases.ts"
import { messageTo } from "../../support/Messages.ts"
import { parseMail } from "../../support/Mime.ts"
import { serve } from "../../support/SmtpServer.ts"

const temporary = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "framework-transports-"))),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
)

/** Sends one message by the transport that these variables choose; where it went. */
const sendWith = (mailer: typeof ConfiguredMailer.layer, variables: Record<string, string>) =>
  Effect.gen(function* () {
    const folder = yield* temporary
    const server = yield* serve()
    const all = {
      STORAGE_DIR: folder,
      MAIL_PORT: String(server.port),
      MAIL_SECURE: "none",
      MAIL_FROM: "App <app@example.com>"
    }
    const provider = ConfigProvider.fromMap(new Map(Object.entries({ ...all, ...variables })))
    return yield* Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const mailer = yield* Mailer
      yield* mailer.sendFrom(Effect.succeed(messageTo("ann@example.com")))
      const queued = yield* sql`SELECT id FROM jobs`
      const mails = Path.join(folder, "mails")
      const files = Fs.existsSync(mails) ? Fs.readdirSync(mails).map((name) => Path.join(mails, name)) : []
      const [raw] = [...files.map((file) => Fs.readFileSync(file, "utf8")), ...server.received.map(({ raw }) => raw)]
      return {
        files: files.length,
        received: server.received.length,
        queued: queued.length,
        from: raw === undefined ? undefined : parseMail(raw).header("from")
      }
    }).pipe(
      Effect.provide(mailer.pipe(Layer.provide(Layer.setConfigProvider(provider)), Layer.provideMerge(sqlite.layer)))
    )
  })

const from = "App <app@example.com>"

describe("the transport of a program", () => {
  it.scopedLive("is a folder of files without MAIL_HOST", () =>
    Effect.gen(function* () {
      const one = yield* sendWith(ConfiguredMailer.layer, {})
      expect(one).toEqual({ files: 1, received: 0, queued: 0, from })
      expect(yield* sendWith(ConfiguredMailer.layer, { MAIL_QUEUE: "1" })).toEqual(one)
    })
  )

  it.scopedLive("is SMTP with MAIL_HOST", () =>
    Effect.gen(function* () {
      const went = yield* sendWith(ConfiguredMailer.layer, { MAIL_HOST: "127.0.0.1" })
      expect(went).toEqual({ files: 0, received: 1, queued: 0, from })
    })
  )

  it.scopedLive("is the queue with MAIL_HOST and MAIL_QUEUE", () =>
    Effect.gen(function* () {
      const went = yield* sendWith(ConfiguredMailer.layer, { MAIL_HOST: "127.0.0.1", MAIL_QUEUE: "1" })
      expect(went).toEqual({ files: 0, received: 0, queued: 1, from: undefined })
    })
  )
})

describe("the queue of a program without variables", () => {
  const sender = new Sender({ name: Line.make("App"), address: Address.make("app@example.com") })

  /** Sends one message by a queue that delivers by this transport: what had arrived before the worker, and after. */
  const queueThrough = (delivery: Delivery, arrived: () => ReadonlyArray<string>) =>
    Effect.gen(function* () {
      const settings = { sender, transport: Transport.Queue({ delivery }) }
      const { send } = yield* Effect.provide(Mailer, ConfiguredMailer.layerWith(settings))
      yield* send(messageTo("ann@example.com"))
      const before = arrived().length
      const handler = Layer.provide(QueuedMailer.handler(), ConfiguredMailer.layerTransportWith(settings))
      yield* Effect.provide(JobWorker.untilIdle(), Layer.provideMerge(handler, Handlers.layer))
      return [before, ...arrived().map((raw) => parseMail(raw).header("from"))]
    }).pipe(
      Effect.provide(Layer.provideMerge(SqlJobs.layer, sqlite.layer)),
      Effect.withConfigProvider(ConfigProvider.fromMap(new Map()))
    )

  it.scopedLive("delivers by the mail server that it names", () =>
    Effect.gen(function* () {
      const { port, received } = yield* serve()
      const delivery = Transport.Smtp({ server: { host: "127.0.0.1", port, security: "none", credentials: undefined } })
      expect(yield* queueThrough(delivery, () => received.map(({ raw }) => raw))).toEqual([0, from])
    })
  )

  it.scopedLive("delivers to the folder that it names", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      const files = () => Fs.readdirSync(folder).map((name) => Fs.readFileSync(Path.join(folder, name), "utf8"))
      expect(yield* queueThrough(Transport.File({ folder }), files)).toEqual([0, from])
    })
  )
})

describe("the transport of the queue's runner", () => {
  it.scopedLive("leaves the machine, whatever MAIL_QUEUE says", () =>
    Effect.gen(function* () {
      const went = yield* sendWith(ConfiguredMailer.layerTransport, { MAIL_HOST: "127.0.0.1", MAIL_QUEUE: "1" })
      expect(went).toEqual({ files: 0, received: 1, queued: 0, from })
    })
  )

  it.scopedLive("is a folder of files without MAIL_HOST", () =>
    Effect.gen(function* () {
      expect(yield* sendWith(ConfiguredMailer.layerTransport, {})).toEqual({ files: 1, received: 0, queued: 0, from })
    })
  )
})
