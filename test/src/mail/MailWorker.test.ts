import { expect, it } from "@effect/vitest"
import { Cause, Context, Deferred, Effect, Exit, Fiber, Layer, Logger, Option, Ref, TestClock } from "effect"
import * as SqlMailQueue from "../../../layers/mail/SqlMailQueue.ts"
import * as MailWorker from "../../../src/mail/MailWorker.ts"
import type { MailMessage } from "../../../src/mail/MailMessage.ts"
import { fromSend, Mailer, MailDeliveryError } from "../../../src/mail/Mailer.ts"
import { type DeliveryOutcome, MailQueue } from "../../../src/mail/MailQueue.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { messageTo } from "../../support/Messages.ts"

class Sent extends Context.Tag("test/Sent")<Sent, Ref.Ref<ReadonlyArray<string>>>() {}

const addresses = Effect.flatMap(Sent, (sent) => sent)

const mailer = (send: (message: MailMessage) => Effect.Effect<void, MailDeliveryError>) =>
  Effect.flatMap(Sent, (sent) =>
    Effect.succeed(
      fromSend((message) =>
        Effect.zipRight(
          send(message),
          Ref.update(sent, (before) => [...before, message.to])
        )
      )
    )
  )

const working = () => Effect.void
const refusing = () => Effect.fail(new MailDeliveryError({ reason: "the mail server refused (550)" }))

const runWith = (
  send: (message: MailMessage) => Effect.Effect<void, MailDeliveryError>,
  options: Partial<Parameters<typeof MailWorker.run>[0]> = {}
) =>
  Effect.gen(function* () {
    const outcomes = yield* Ref.make<ReadonlyArray<DeliveryOutcome>>([])
    yield* MailWorker.run({
      whenEmpty: "stop",
      concurrency: 2,
      onOutcome: (outcome) => Ref.update(outcomes, (before) => [...before, outcome]),
      ...options
    }).pipe(Effect.provideServiceEffect(Mailer, mailer(send)))
    return yield* outcomes
  })

const store = (...to: ReadonlyArray<string>) =>
  Effect.flatMap(MailQueue, (queue) =>
    Effect.forEach(to, (address) => queue.enqueue(messageTo(address)), { discard: true })
  )

const counts = Effect.flatMap(MailQueue, (queue) => queue.counts)
const idle = { ready: 0, delayed: 0, leased: 0, failed: 0 }

const realTick = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Waits for the work beside, which a real database does in real time. */
const until = <E, R>(condition: Effect.Effect<boolean, E, R>) => Effect.repeat(realTick, { until: () => condition })

/** The same while the clock of the test goes on. */
const passing = <E, R>(condition: Effect.Effect<boolean, E, R>) =>
  Effect.repeat(Effect.zipRight(TestClock.adjust("1 second"), realTick), { until: () => condition })

describeDatabases("The runner", (database) => {
  const services = Layer.merge(SqlMailQueue.layer, Layer.effect(Sent, Ref.make<ReadonlyArray<string>>([]))).pipe(
    Layer.provideMerge(database.layer)
  )

  const test = <E>(name: string, body: () => Effect.Effect<void, E, MailQueue | Sent>) =>
    it.effect(name, () => Effect.provide(body(), services))

  test("sends every message that is ready and ends", () =>
    Effect.gen(function* () {
      yield* store("a@example.com", "b@example.com", "c@example.com")
      expect(yield* runWith(working)).toEqual(["Sent", "Sent", "Sent"])
      expect([...(yield* addresses)].sort()).toEqual(["a@example.com", "b@example.com", "c@example.com"])
      expect(yield* counts).toEqual(idle)
    }))

  test("tries a message three times and then keeps it as failed", () =>
    Effect.gen(function* () {
      yield* store("ann@example.com")
      expect(yield* runWith(refusing)).toEqual(["Delayed"])
      expect(yield* runWith(refusing)).toEqual([])
      yield* TestClock.adjust("30 seconds")
      expect(yield* runWith(refusing)).toEqual(["Delayed"])
      yield* TestClock.adjust("2 minutes")
      expect(yield* runWith(refusing)).toEqual(["Failed"])
      expect(yield* counts).toEqual({ ...idle, failed: 1 })
    }))

  test("lets one bad message keep no other back", () =>
    Effect.gen(function* () {
      yield* store("bad@example.com", "good@example.com")
      yield* runWith((message) => (message.to.startsWith("bad") ? refusing() : Effect.void), { concurrency: 1 })
      expect(yield* addresses).toEqual(["good@example.com"])
      expect(yield* counts).toEqual({ ...idle, delayed: 1 })
    }))

  test("counts a mailer that breaks as a failed attempt", () =>
    Effect.gen(function* () {
      yield* store("ann@example.com")
      expect(yield* runWith(() => Effect.die(new Error("bug with ann@example.com")))).toEqual(["Delayed"])
    }))

  test("gives a delivery up before its lease ends", () =>
    Effect.gen(function* () {
      yield* store("ann@example.com")
      const queue = yield* MailQueue
      const started = yield* Deferred.make<void>()
      const hang = () => Effect.zipRight(Deferred.succeed(started, undefined), Effect.never)
      const fiber = yield* Effect.fork(runWith(hang))
      yield* Deferred.await(started)
      yield* TestClock.adjust("44 seconds")
      expect((yield* queue.counts).leased).toBe(1)
      // A lease lasts 60 seconds.
      yield* TestClock.adjust("15 seconds")
      yield* until(Effect.map(queue.counts, ({ leased }) => leased === 0))
      expect(yield* fiber).toEqual(["Delayed"])
    }))

  test("logs a failure without address and link", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const listening = Logger.replace(
        Logger.defaultLogger,
        Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
      )
      yield* store("ann@example.com")
      yield* runWith(() => Effect.die(new Error("bug with ann@example.com"))).pipe(Effect.provide(listening))
      expect(lines).toHaveLength(1)
      expect(lines[0]).toMatch(/Message [0-9a-f-]{36}, attempt 1: the mailer broke/)
      expect(lines[0]).not.toMatch(/ann@|verif/)
    }))

  test("finishes the message in hand when it is stopped, and takes no other", () =>
    Effect.gen(function* () {
      yield* store("first@example.com")
      yield* TestClock.adjust("1 millis")
      yield* store("second@example.com")
      const started = yield* Deferred.make<void>()
      const gate = yield* Deferred.make<void>()
      const hold = () => Effect.zipRight(Deferred.succeed(started, undefined), Deferred.await(gate))
      const fiber = yield* Effect.fork(runWith(hold, { whenEmpty: "wait", concurrency: 1 }))
      yield* Deferred.await(started)
      const stopping = yield* Effect.fork(Fiber.interrupt(fiber))
      yield* Effect.yieldNow()
      expect(Option.isNone(yield* Fiber.poll(stopping))).toBe(true)
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.join(stopping)
      expect(yield* addresses).toEqual(["first@example.com"])
      expect(yield* counts).toEqual({ ...idle, ready: 1 })
    }))

  test("waits for more messages", () =>
    Effect.gen(function* () {
      const fiber = yield* Effect.fork(runWith(working, { whenEmpty: "wait" }))
      yield* TestClock.adjust("5 seconds")
      yield* store("late@example.com")
      yield* passing(Effect.map(addresses, ({ length }) => length === 1))
      expect(yield* addresses).toEqual(["late@example.com"])
      yield* Fiber.interrupt(fiber)
    }))

  test("outlives a database that is away for a while", () =>
    Effect.gen(function* () {
      const queue = yield* MailQueue
      const away = yield* awayTimes(2)
      yield* store("ann@example.com")
      const fiber = yield* Effect.fork(
        runWith(working, { whenEmpty: "wait", concurrency: 1 }).pipe(
          Effect.provideService(MailQueue, { ...queue, claim: Effect.zipRight(away, queue.claim) })
        )
      )
      yield* passing(Effect.map(addresses, ({ length }) => length === 1))
      yield* Fiber.interrupt(fiber)
      expect(yield* counts).toEqual(idle)
    }))

  test("ends with the failure of the database when it was told to end", () =>
    Effect.gen(function* () {
      const queue = yield* MailQueue
      const away = yield* awayTimes(1)
      const exit = yield* Effect.exit(
        Effect.provideService(runWith(working), MailQueue, { ...queue, claim: Effect.zipRight(away, queue.claim) })
      )
      expect(Exit.isFailure(exit) && Cause.squash(exit.cause)).toEqual(new Error("the database is away"))
    }))

  test("tells the database again when it did not hear that a message is out", () =>
    Effect.gen(function* () {
      const queue = yield* MailQueue
      const away = yield* awayTimes(3)
      yield* store("ann@example.com")
      const fiber = yield* Effect.fork(
        Effect.provideService(runWith(working), MailQueue, {
          ...queue,
          markSent: (claim) => Effect.zipRight(away, queue.markSent(claim))
        })
      )
      yield* passing(Effect.map(Fiber.poll(fiber), Option.isSome))
      expect(yield* fiber).toEqual(["Sent"])
      expect(yield* addresses).toEqual(["ann@example.com"])
      expect(yield* counts).toEqual(idle)
    }))
})

/** Dies as a database that is away does, this many times. */
const awayTimes = (times: number) =>
  Effect.map(Ref.make(times), (left) =>
    Effect.flatMap(
      Ref.getAndUpdate(left, (n) => n - 1),
      (n) => (n > 0 ? Effect.die(new Error("the database is away")) : Effect.void)
    )
  )
