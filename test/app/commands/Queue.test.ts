import type { SqlClient } from "@effect/sql"
import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, TestClock } from "effect"
import * as Queue from "../../../app/commands/Queue.ts"
import type { Screen } from "../../../app/commands/Progress.ts"
import * as SqlMailQueue from "../../../layers/mail/SqlMailQueue.ts"
import { fromSend, Mailer, MailDeliveryError } from "../../../src/mail/Mailer.ts"
import { MailQueue } from "../../../src/mail/MailQueue.ts"
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

describeDatabases("The queue command", (database) => {
  const services = Layer.merge(
    SqlMailQueue.layer,
    mailer((to) => to.startsWith("bad"))
  ).pipe(Layer.provideMerge(database.layer))

  const test = <E>(name: string, body: () => Effect.Effect<void, E, MailQueue | Mailer | SqlClient.SqlClient>) =>
    it.effect(name, () => Effect.provide(body(), services))

  const store = (...to: ReadonlyArray<string>) =>
    Effect.flatMap(MailQueue, (queue) => Effect.forEach(to, (name) => queue.enqueue(messageTo(`${name}@example.com`))))

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
      const queue = yield* MailQueue
      yield* store("bad")
      yield* failThrice
      yield* store("held", "ready", "ready")
      yield* queue.claim
      const { status, out } = yield* printed(Queue.list)
      const [ready, delayed, failed, line, ...rest] = out.split("\n")
      expect([status, ready, delayed, failed, rest]).toEqual([0, "ready 2", "delayed 1 (1 being sent)", "failed 1", []])
      expect(line).toMatch(
        /^ {2}[0-9a-f-]{36} {2}1970-01-01T02:00:00\.000Z {2}3 attempts {2}the mail server refused \(550\)$/
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
      expect(yield* printed(Queue.retry)).toEqual({ status: 0, out: "2 messages are ready again", error: "" })
      expect((yield* printed(Queue.list)).out).toBe("ready 2\ndelayed 0\nfailed 0")
      expect((yield* printed(Queue.retry)).out).toBe("0 messages are ready again")
    }))
})
