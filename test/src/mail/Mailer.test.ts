import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Layer, Logger, Ref } from "effect"
import { parseAddress, type MailMessage } from "../../../src/mail/MailMessage.ts"
import { fromSend, Mailer, sendOrLog, MailDeliveryError } from "../../../src/mail/Mailer.ts"
import { messageTo } from "../../support/Messages.ts"

const recording = (messages: Ref.Ref<ReadonlyArray<MailMessage>>) =>
  Layer.succeed(
    Mailer,
    fromSend((message) => Ref.update(messages, (before) => [...before, message]))
  )

const broken = Layer.succeed(
  Mailer,
  fromSend(() => Effect.fail(new MailDeliveryError({ reason: "the mail server refused (550)" })))
)

const listening = (lines: Array<string>) =>
  Logger.replace(
    Logger.defaultLogger,
    Logger.map(Logger.logfmtLogger, (line) => void lines.push(line))
  )

describe("post", () => {
  it.effect("sends what was made", () =>
    Effect.gen(function* () {
      const messages = yield* Ref.make<ReadonlyArray<MailMessage>>([])
      yield* sendOrLog(Effect.succeed(messageTo("ann@example.com"))).pipe(Effect.provide(recording(messages)))
      expect((yield* messages).map(({ to }) => to)).toEqual(["ann@example.com"])
    })
  )

  it.effect("logs what could not be delivered, without address and link, and succeeds", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      yield* sendOrLog(Effect.succeed(messageTo("ann@example.com"))).pipe(
        Effect.provide(Layer.merge(broken, listening(lines)))
      )
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain("The message was not delivered: the mail server refused (550)")
      expect(lines[0]).not.toMatch(/ann@|verif/)
    })
  )

  it.effect("logs an address that cannot be written to, without showing it", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const refused = Either.map(parseAddress("ann@example.com\r\nBcc: eve@example.com"), messageTo)
      yield* sendOrLog(refused).pipe(Effect.provide(Layer.merge(broken, listening(lines))))
      expect(lines).toHaveLength(1)
      expect(lines[0]).toContain("holds a control character")
      expect(lines[0]).not.toMatch(/ann@|eve@/)
    })
  )

  it.effect("leaves every other failure of the making to the caller", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(sendOrLog(Effect.fail("no account" as const)).pipe(Effect.provide(broken)))).toBe(
        "no account"
      )
    })
  )
})
