import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Duration, Effect } from "effect"
import * as Settings from "../../../src/auth/Settings.ts"

const read = (variables: Record<string, string>) =>
  Effect.withConfigProvider(
    Effect.suspend(() => Settings.config),
    ConfigProvider.fromMap(new Map(Object.entries(variables)))
  )

describe("Settings", () => {
  it.effect("has the defaults of the specification", () =>
    Effect.gen(function* () {
      const settings = yield* read({})
      expect(settings).toEqual(Settings.defaults)
      expect(Duration.toSeconds(settings.verificationTtl)).toBe(86400)
      expect(Duration.toSeconds(settings.recoveryTtl)).toBe(3600)
      expect(Duration.toSeconds(settings.rememberTtl)).toBe(2592000)
      expect(Duration.toSeconds(settings.sessionIdle)).toBe(7200)
      expect(Duration.toSeconds(settings.sessionTtl)).toBe(2592000)
      expect(settings).toMatchObject({ rememberName: "remember", sessionName: "session" })
      expect(settings.argon2).toEqual({ memory: 65536, time: 3 })
    })
  )

  it.effect("takes what is set", () =>
    Effect.gen(function* () {
      const settings = yield* read({
        APP_URL: "https://app.example.com/",
        AUTH_REMEMBER_NAME: "keep",
        AUTH_REMEMBER_GRACE: "10",
        AUTH_SESSION_IDLE: "60",
        AUTH_ARGON2_MEMORY: "19456",
        AUTH_ARGON2_TIME: "2",
        AUTH_HASH_CONCURRENCY: "2"
      })
      expect(settings).toMatchObject({
        appUrl: "https://app.example.com",
        rememberName: "keep",
        rememberGrace: Duration.seconds(10),
        sessionIdle: Duration.seconds(60),
        argon2: { memory: 19456, time: 2 },
        hashConcurrency: 2
      })
    })
  )

  for (const [name, value] of [
    ["APP_URL", "ftp://x"],
    ["AUTH_VERIFICATION_TTL", "0"],
    ["AUTH_RECOVERY_TTL", "soon"],
    ["AUTH_REMEMBER_NAME", "a b"],
    ["AUTH_REMEMBER_TTL", "-1"],
    ["AUTH_REMEMBER_GRACE", "1.5"],
    ["AUTH_SESSION_NAME", "session;"],
    ["AUTH_SESSION_IDLE", "0"],
    ["AUTH_ARGON2_MEMORY", "19455"],
    ["AUTH_ARGON2_TIME", "1"],
    ["AUTH_HASH_CONCURRENCY", "0"],
    ["AUTH_HASH_QUEUE", "-1"]
  ] as const) {
    it.effect(`names ${name} when it is ${value}`, () =>
      Effect.gen(function* () {
        expect(String(yield* Effect.flip(read({ [name]: value })))).toContain(name)
      })
    )
  }
})
