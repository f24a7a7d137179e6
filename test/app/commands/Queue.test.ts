import type { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option, Schema, TestClock } from "effect"
import * as JobCommands from "../../../app/commands/JobCommands.ts"
import * as Queue from "../../../app/commands/Queue.ts"
import type { Screen } from "../../../app/commands/Progress.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as QueuedMailer from "../../../layers/mail/QueuedMailer.ts"
import * as Job from "../../../src/jobs/Job.ts"
import * as Jobs from "../../../src/jobs/Jobs.ts"
import { JobStore } from "../../../src/jobs/internal/JobStore.ts"
import { fromSend, Mailer, MailDeliveryError } from "../../../src/mail/Mailer.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { messageTo } from "../../support/Messages.ts"
import { printed } from "../../support/Printed.ts"

const screenOf = (isTerminal: boolean, painted: Array<string>): Screen => ({
  isTerminal,
  write: (text) => void painted.push(text)
})

/** Sends what is ready, then stops. */
const sendOnce = (painted: Array<string> = [], isTerminal = false) =>
  printed(Queue.send("stop", screenOf(isTerminal, painted)))

const mailer = (fails: (to: string) => boolean) =>
  Layer.succeed(
    Mailer,
    fromSend(({ to }) =>
      fails(to) ? Effect.fail(new MailDeliveryError({ reason: "the mail server refused (550)" })) : Effect.void
    )
  )

const Tea = Job.make("tea", { payload: Schema.Struct({ cup: Schema.Number }), queue: "kitchen" })

type Services = Layer.Layer.Success<typeof SqlJobs.layer> | Job.Handled<"tea"> | Mailer | SqlClient.SqlClient

describeDatabases("The queue command", (database) => {
  const services = Layer.mergeAll(
    SqlJobs.layer,
    Job.layerElsewhere(Tea),
    mailer((to) => to.startsWith("bad"))
  ).pipe(Layer.provideMerge(database.layer))

  const test = <E>(name: string, body: () => Effect.Effect<void, E, Services>) =>
    it.effect(name, () => Effect.provide(body(), services))

  const store = (...to: ReadonlyArray<string>) =>
    Effect.flatMap(Mailer, (mailer) =>
      Effect.forEach(to, (name) => Effect.orDie(mailer.send(messageTo(`${name}@example.com`))))
    ).pipe(Effect.provide(QueuedMailer.layer))

  const failThrice = Effect.gen(function* () {
    for (let attempt = 0; attempt < 3; attempt++) {
      yield* sendOnce()
      yield* TestClock.adjust("1 hour")
    }
  })

  test("sends what is ready and ends with --once", () =>
    Effect.gen(function* () {
      yield* store("ann", "bob", "bad")
      const painted: Array<string> = []
      expect((yield* sendOnce(painted)).status).toBe(0)
      expect(painted.at(-1)).toBe("sent 2, ready 0, delayed 1, failed 0\n")
    }))

  test("rewrites one line in a terminal and leaves it complete", () =>
    Effect.gen(function* () {
      yield* store("ann")
      const painted: Array<string> = []
      yield* sendOnce(painted, true)
      expect(painted.slice(-2)).toEqual(["\r\x1b[2Ksent 1, ready 0, delayed 0, failed 0", "\n"])
      expect(painted.slice(0, -1).every((text) => text.startsWith("\r\x1b[2K") && !text.includes("\n"))).toBe(true)
    }))

  test("goes on without --once until it is stopped", () =>
    Effect.gen(function* () {
      const sent = yield* Deferred.make<void>()
      const painted: Array<string> = []
      const waiting = Queue.send("wait", screenOf(false, painted)).pipe(
        Effect.provideService(
          Mailer,
          fromSend(() => Effect.asVoid(Deferred.succeed(sent, undefined)))
        )
      )
      const fiber = yield* Effect.fork(waiting)
      yield* TestClock.adjust("3 seconds")
      yield* store("late")
      yield* Effect.raceFirst(Deferred.await(sent), Effect.forever(TestClock.adjust("1 second")))
      yield* Fiber.interrupt(fiber)
      expect(painted.at(-1)).toBe("sent 1, ready 0, delayed 0, failed 0\n")
    }))

  test("lists ready, delayed and failed messages, the failed ones without address and link", () =>
    Effect.gen(function* () {
      const { claim } = yield* JobStore
      yield* store("bad")
      yield* failThrice
      yield* store("held", "ready", "ready")
      yield* claim("mail", 1)
      const { status, out } = yield* printed(Queue.list)
      const [ready, delayed, failed, line, ...rest] = out.split("\n")
      expect([status, ready, delayed, failed, rest]).toEqual([0, "ready 2", "delayed 1 (1 being sent)", "failed 1", []])
      expect(line).toMatch(
        /^ {2}[0-9a-f]{32} {2}1970-01-01T02:00:00\.000Z {2}3 attempts {2}the mail server refused \(550\)$/
      )
      expect(out).not.toMatch(/@|verif|http/)
    }))

  test("lists an empty queue", () =>
    Effect.gen(function* () {
      expect((yield* printed(Queue.list)).out).toBe("ready 0\ndelayed 0\nfailed 0")
    }))

  test("puts failed messages back with retry", () =>
    Effect.gen(function* () {
      yield* store("bad", "bad2")
      yield* failThrice
      expect(yield* printed(Queue.retry(Option.none()))).toEqual({
        status: 0,
        out: "2 messages are ready again",
        error: ""
      })
      expect((yield* printed(Queue.list)).out).toBe("ready 2\ndelayed 0\nfailed 0")
      expect((yield* printed(Queue.retry(Option.none()))).out).toBe("0 messages are ready again")
    }))

  const failed = Effect.gen(function* () {
    const id = Option.getOrThrow(yield* Jobs.enqueue(Tea, { cup: 7 }))
    const { claim, settle } = yield* JobStore
    const [one] = yield* claim("kitchen", 1)
    if (one === undefined) return yield* Effect.dieMessage("nothing was claimed")
    yield* settle([{ claim: one, outcome: { _tag: "Failed", reason: "no water" }, erase: false }])
    return id
  })

  test("lists jobs by queue and state, and the failed ones without their payload", () =>
    Effect.gen(function* () {
      const id = yield* failed
      yield* Jobs.enqueueAll(Tea, [{ cup: 8 }, { cup: 9 }])
      yield* printed(JobCommands.pause("kitchen"))
      const { out } = yield* printed(Queue.list)
      expect(out.split("\n").slice(3).sort()).toEqual([
        `  ${id}  1970-01-01T00:00:00.000Z  tea  failed  1 attempts  no water`,
        "jobs in kitchen (paused): failed 1",
        "jobs in kitchen (paused): ready 2"
      ])
      expect(yield* printed(JobCommands.resume("kitchen"))).toEqual({ status: 0, out: "kitchen goes on", error: "" })
      expect((yield* printed(Queue.list)).out).not.toContain("paused")
    }))

  test("lists a paused queue without jobs, and that of the messages", () =>
    Effect.gen(function* () {
      yield* store("ann")
      yield* printed(JobCommands.pause("mail"))
      expect(yield* printed(JobCommands.pause("kitchen"))).toEqual({ status: 0, out: "kitchen is paused", error: "" })
      expect((yield* printed(Queue.list)).out).toBe("ready 1\ndelayed 0\nfailed 0\nkitchen is paused\nmail is paused")
    }))

  test("shows one job, makes it ready again, and cancels it", () =>
    Effect.gen(function* () {
      const id = yield* failed
      const { out } = yield* printed(JobCommands.show(id))
      expect(out).toContain("job: tea\nqueue: kitchen\nstate: failed\nattempts: 1\n")
      expect(out).toContain("reason: no water")
      const again = yield* printed(Queue.retry(Option.some(id)))
      expect(again).toEqual({ status: 0, out: "1 job is ready again", error: "" })
      expect((yield* printed(Queue.retry(Option.some(id)))).status).toBe(1)
      expect(yield* printed(JobCommands.cancel(id))).toEqual({ status: 0, out: "the job is cancelled", error: "" })
      expect(yield* printed(JobCommands.cancel(id))).toMatchObject({
        status: 1,
        error: `There is no job ${id} that has not started`
      })
      expect((yield* printed(JobCommands.show("x"))).status).toBe(1)
    }))

  test("makes all failed jobs ready again, beside the messages", () =>
    Effect.gen(function* () {
      yield* failed
      const { out } = yield* printed(Queue.retry(Option.none()))
      expect(out).toBe("0 messages are ready again\n1 job is ready again")
    }))
})
