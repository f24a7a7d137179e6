// Runners and writers as real processes on real databases, killed for real.
import { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Schedule, type Scope } from "effect"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as QueuedMailer from "../../../layers/mail/QueuedMailer.ts"
import type { Jobs } from "../../../src/jobs/Jobs.ts"
import type { JobStore } from "../../../src/jobs/internal/JobStore.ts"
import { counts, MailJob } from "../../../src/mail/internal/MailJob.ts"
import { Mailer } from "../../../src/mail/Mailer.ts"
import { enqueued } from "../../../testing/TestJobs.ts"
import { bundle } from "../../support/Bundle.ts"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"
import { start } from "../../support/Demo.ts"
import { messageTo } from "../../support/Messages.ts"
import { parseMail } from "../../support/Mime.ts"
import { type Behaviour, type Received, serve } from "../../support/SmtpServer.ts"

const queueScript = bundle("QueueProcess.ts")
const writerScript = bundle("WriterProcess.ts")

const killed = { code: null, signal: "SIGKILL" }
const ended = { code: 0, signal: null }

const runner = (port: number, name = "runner") =>
  Effect.flatMap(TestDatabase, ({ url }) =>
    start([queueScript, "run", "mail"], {
      DATABASE_URL: url,
      MAIL_HOST: "127.0.0.1",
      MAIL_PORT: String(port),
      MAIL_SECURE: "none",
      MAIL_FROM: `${name}@example.com`
    })
  )

const store = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const mailer = yield* Mailer
    yield* Effect.forEach(Array.from({ length: count }), (_, index) =>
      mailer.send(messageTo(`n${index}@example.com`))
    ).pipe(sql.withTransaction)
  })

const drained = counts.pipe(
  Effect.repeat({
    schedule: Schedule.spaced("50 millis"),
    until: ({ ready, delayed }) => ready + delayed === 0
  })
)

const idOf = (message: Received) => parseMail(message.raw).header("message-id")

/** Between the callbacks of a server and a test. */
const gate = () => {
  let open = () => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, passed }
}

/** Runs once, for the first caller. */
const once = (act: () => void) => {
  let done = false
  return () => {
    if (done) return
    done = true
    act()
  }
}

describeDatabases("The queue's processes", (database) => {
  const services = QueuedMailer.layer.pipe(Layer.provideMerge(SqlJobs.layer), Layer.provideMerge(database.layer))

  const test = <E>(
    name: string,
    body: () => Effect.Effect<void, E, Jobs | JobStore | Mailer | SqlClient.SqlClient | TestDatabase | Scope.Scope>
  ) => it.scopedLive(name, () => Effect.provide(body(), services), 240_000)

  /** A runner is killed by what its server sees; the next one must find every message. */
  const killedWhen = (behave: (kill: () => void, gone: Promise<void>) => Behaviour) =>
    Effect.gen(function* () {
      let kill = () => {}
      const gone = gate()
      const server = yield* serve(
        behave(
          once(() => kill()),
          gone.passed
        )
      )
      yield* store(6)
      const first = yield* runner(server.port)
      kill = () => void process.kill(first.pid, "SIGKILL")
      expect(yield* first.ended).toEqual(killed)
      gone.open()
      const left = yield* counts
      // As if a minute had passed: what the killed one held is free again.
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`UPDATE jobs SET due = 0 WHERE state = 'running'`)
      const second = yield* runner(server.port)
      yield* drained
      second.signal("SIGTERM")
      expect(yield* second.ended).toEqual(ended)
      expect(new Set(server.received.map(({ to }) => to[0])).size).toBe(6)
      return { server, left }
    })

  test("lose nothing when one is killed before a message is on its way", () =>
    Effect.gen(function* () {
      const { left } = yield* killedWhen((kill) => ({
        options: { onMailFrom: (_address, _session, callback) => void (kill(), callback()) }
      }))
      expect(left.ready + left.delayed).toBe(6)
    }))

  test("lose nothing when one is killed while the server reads a message", () =>
    Effect.gen(function* () {
      const { left } = yield* killedWhen((kill, gone) => ({
        onMessage: async () => {
          kill()
          await gone
        }
      }))
      expect(left.ready + left.delayed).toBeGreaterThan(0)
    }))

  test("lose nothing when one is killed after the server took a message, and repeat it under its old name", () =>
    Effect.gen(function* () {
      const { server } = yield* killedWhen((kill) => ({
        // The server's yes and the kill leave together: the runner may or may not have heard it.
        onMessage: () => void setImmediate(kill)
      }))
      const ids = server.received.map(idOf)
      const names = server.received.map(({ to }) => to[0])
      expect(new Set(ids).size).toBe(new Set(names).size)
    }))

  test("send each message once when two run side by side", () =>
    Effect.gen(function* () {
      // No message is accepted before both have sent one: otherwise the faster one could send them all.
      const senders = new Set<string>()
      const both = gate()
      const server = yield* serve({
        onMessage: ({ from }) => {
          if (senders.add(from).size === 2) both.open()
          return both.passed
        }
      })
      const first = yield* runner(server.port, "first")
      const second = yield* runner(server.port, "second")
      yield* Effect.all([first.says(/sent 0/), second.says(/sent 0/)], { concurrency: 2 })
      yield* store(100)
      yield* drained
      first.signal("SIGTERM")
      second.signal("SIGTERM")
      expect(yield* Effect.all([first.ended, second.ended])).toEqual([ended, ended])
      expect(server.received).toHaveLength(100)
      expect(new Set(server.received.map(({ to }) => to[0])).size).toBe(100)
      expect(new Set(server.received.map(({ from }) => from)).size).toBe(2)
    }))

  test("finish the messages in hand on SIGTERM, and leave the others", () =>
    Effect.gen(function* () {
      const arrived = gate()
      const opened = gate()
      let held = 0
      const server = yield* serve({
        onMessage: async () => {
          if (++held === 4) arrived.open()
          await opened.passed
        }
      })
      yield* store(10)
      const running = yield* runner(server.port)
      yield* Effect.promise(() => arrived.passed)
      running.signal("SIGTERM")
      yield* running.says(/stopping/)
      opened.open()
      expect(yield* running.ended).toEqual(ended)
      expect(server.received).toHaveLength(4)
      expect(yield* counts).toEqual({ ready: 6, delayed: 0, leased: 0, failed: 0 })
      const { stderr, stdout } = running.output()
      expect(stderr).toContain("sent 4, ready 6, delayed 0, failed 0")
      expect(stderr + stdout).not.toMatch(/@|verif/)
    }))

  test("store a token and its message or neither, wherever the writer is killed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { url } = yield* TestDatabase
      const writer = yield* start([writerScript], { DATABASE_URL: url })
      yield* writer.says(/n40\n/)
      writer.signal("SIGKILL")
      expect(yield* writer.ended).toEqual(killed)
      const tokens = yield* sql<{ readonly selector: string }>`SELECT selector FROM tokens`
      const addresses = (yield* enqueued(MailJob)).map(({ to }) => to.split("@")[0])
      expect(tokens.length).toBeGreaterThan(40)
      expect(addresses.sort()).toEqual(tokens.map(({ selector }) => selector).sort())
    }))
})
