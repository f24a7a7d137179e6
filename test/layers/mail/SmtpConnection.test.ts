// Whether a mail server would take a message: greeting, TLS and credentials, without sending one.
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import * as SmtpConnection from "../../../layers/mail/internal/SmtpConnection.ts"
import * as SmtpServer from "../../support/SmtpServer.ts"

const credentials = (password: string) => ({ username: "app", password: Redacted.make(password) })

const asking = SmtpServer.serve({
  options: {
    allowInsecureAuth: true,
    onAuth: ({ password }, _, done) =>
      password === "right" ? done(null, { user: "app" }) : done(SmtpServer.refusal(535))
  }
})

describe("the connection to a mail server", () => {
  it.scopedLive("works with what the server takes, and sends nothing", () =>
    Effect.gen(function* () {
      const { port, received } = yield* asking
      const server = { host: "127.0.0.1", port, security: "none" } as const
      const right = yield* Effect.exit(SmtpConnection.verify({ ...server, credentials: credentials("right") }))
      expect(Exit.isSuccess(right)).toBe(true)
      expect(received).toEqual([])
    })
  )

  it.scopedLive("says what the server refuses, without its words", () =>
    Effect.gen(function* () {
      const { port } = yield* asking
      const server = { host: "127.0.0.1", port, security: "none" } as const
      const wrong = yield* Effect.flip(SmtpConnection.verify({ ...server, credentials: credentials("wrong") }))
      expect(wrong.message).toContain("the mail server refused the credentials (EAUTH 535)")
      const secured = { ...server, security: "starttls", credentials: undefined } as const
      expect((yield* Effect.flip(SmtpConnection.verify(secured)))._tag).toBe("MailDeliveryError")
    })
  )
})
