import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import { warnings } from "../../app/Serve.ts"
import * as AppConfig from "../../layers/server/AppConfig.ts"

const warned = (variables: Readonly<Record<string, string>>) =>
  Effect.map(AppConfig.config("shop"), warnings).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables))))
  )

const mail = "MAIL_HOST is not set: e-mails are not sent but written to storage/mails"
const from = "MAIL_FROM is no-reply@localhost: mail servers refuse e-mails from there, or take them for spam"
const url = "APP_URL is http://localhost:8087: the links in e-mails lead to the reader's own machine"

describe("a production start", () => {
  it.effect("is warned about both defaults of development, in one line each", () =>
    Effect.gen(function* () {
      expect(yield* warned({})).toEqual([mail, url])
    })
  )

  it.effect("is warned about the address of its own port", () =>
    Effect.gen(function* () {
      expect(yield* warned({ PORT: "3000" })).toEqual([mail, url.replace("8087", "3000")])
      expect(yield* warned({ PORT: "0" })).toEqual([mail, url])
    })
  )

  it.effect("is warned about the one that is left", () =>
    Effect.gen(function* () {
      const sent = { MAIL_HOST: "mail.example.com", MAIL_FROM: "Shop <shop@example.com>" }
      expect(yield* warned(sent)).toEqual([url])
      expect(yield* warned({ ...sent, MAIL_QUEUE: "1" })).toEqual([url])
      expect(yield* warned({ APP_URL: "https://shop.example.com" })).toEqual([mail])
    })
  )

  it.effect("is warned about a sender that nobody trusts, where e-mails are sent", () =>
    Effect.gen(function* () {
      const sent = { MAIL_HOST: "mail.example.com", APP_URL: "https://shop.example.com" }
      expect(yield* warned(sent)).toEqual([from])
      expect(yield* warned({ ...sent, MAIL_QUEUE: "1" })).toEqual([from])
    })
  )

  it.effect("is warned when the variable says what the default does", () =>
    Effect.gen(function* () {
      const sent = { MAIL_HOST: "mail.example.com", MAIL_FROM: "no-reply@localhost" }
      expect(yield* warned({ APP_URL: "http://localhost:8087/", ...sent })).toEqual([from, url])
    })
  )

  it.effect.each(["development", "test", "staging"])("is what %s is not", (environment) =>
    Effect.gen(function* () {
      expect(yield* warned({ FRAMEWORK_ENVIRONMENT: environment })).toEqual([])
    })
  )
})
