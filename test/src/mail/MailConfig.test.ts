import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import { config } from "../../../src/mail/internal/MailSettings.ts"

const read = (variables: Record<string, string>) =>
  Effect.withConfigProvider(config, ConfigProvider.fromMap(new Map(Object.entries(variables))))

describe("mail settings", () => {
  it.effect("write files under STORAGE_DIR without MAIL_HOST, whatever MAIL_QUEUE says", () =>
    Effect.gen(function* () {
      expect(yield* read({})).toMatchObject({
        sender: { name: "", address: "no-reply@localhost" },
        transport: { _tag: "File", folder: "storage/mails" }
      })
      expect((yield* read({ MAIL_QUEUE: "1", STORAGE_DIR: "/var/x" })).transport).toMatchObject({
        _tag: "File",
        folder: "/var/x/mails"
      })
    })
  )

  it.effect("speak with MAIL_HOST, and queue when MAIL_QUEUE is also set", () =>
    Effect.gen(function* () {
      expect((yield* read({ MAIL_HOST: "mail.example" })).transport._tag).toBe("Smtp")
      expect((yield* read({ MAIL_HOST: "mail.example", MAIL_QUEUE: "0" })).transport._tag).toBe("Smtp")
      expect((yield* read({ MAIL_HOST: "mail.example", MAIL_QUEUE: "1" })).transport).toMatchObject({
        _tag: "Queue",
        delivery: { _tag: "Smtp", server: { host: "mail.example", port: 587 } }
      })
    })
  )

  it.effect.each([
    [{}, "starttls", 587],
    [{ MAIL_SECURE: "starttls" }, "starttls", 587],
    [{ MAIL_SECURE: "tls" }, "tls", 465],
    [{ MAIL_SECURE: "none" }, "none", 25],
    [{ MAIL_SECURE: "none", MAIL_PORT: "2525" }, "none", 2525]
  ] as const)("choose the port by MAIL_SECURE: %j", ([variables, security, port]) =>
    Effect.gen(function* () {
      const { transport } = yield* read({ MAIL_HOST: "mail.example", ...variables })
      expect(transport).toMatchObject({ server: { host: "mail.example", security, port, credentials: undefined } })
    })
  )

  it.effect("keep the password out of sight", () =>
    Effect.gen(function* () {
      const settings = yield* read({ MAIL_HOST: "mail.example", MAIL_USERNAME: "ann", MAIL_PASSWORD: "swordfish" })
      const credentials = settings.transport._tag === "Smtp" ? settings.transport.server.credentials : undefined
      expect(JSON.stringify(settings)).not.toContain("swordfish")
      expect(credentials && Redacted.value(credentials.password)).toBe("swordfish")
    })
  )

  it.effect.each([
    [{ MAIL_PORT: "0" }, "MAIL_PORT"],
    [{ MAIL_PORT: "65536" }, "MAIL_PORT"],
    [{ MAIL_PORT: "smtp" }, "MAIL_PORT"],
    [{ MAIL_SECURE: "ssl" }, "MAIL_SECURE"],
    [{ MAIL_QUEUE: "maybe" }, "MAIL_QUEUE"],
    [{ MAIL_FROM: "nobody" }, "MAIL_FROM"],
    [{ MAIL_HOST: "mail example" }, "MAIL_HOST"],
    [{ MAIL_USERNAME: "ann" }, "MAIL_PASSWORD"],
    [{ MAIL_PASSWORD: "swordfish" }, "MAIL_USERNAME"]
  ] as const)("stop the start with one line about %j", ([variables, name]) =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(read(variables))
      expect(String(error)).toContain(`${name} is `)
      expect(String(error)).not.toContain("swordfish")
      expect(String(error)).not.toContain("\n")
    })
  )
})
