import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import * as Setting from "../../../src/config/internal/Setting.ts"
import * as ProviderConfig from "../../../src/auth/internal/providers/ProviderConfig.ts"

const load = (variables: Readonly<Record<string, string>>) =>
  Effect.withConfigProvider(ProviderConfig.config, ConfigProvider.fromMap(new Map(Object.entries(variables))))

describe("ProviderConfig", () => {
  it.effect("has no provider where nothing is set", () =>
    Effect.gen(function* () {
      expect(yield* load({})).toEqual({ google: undefined, github: undefined, microsoft: undefined, oidc: undefined })
    })
  )

  it.effect("reads each provider with its domains", () =>
    Effect.gen(function* () {
      const { google, oidc } = yield* load({
        AUTH_GOOGLE_ID: "id",
        AUTH_GOOGLE_SECRET: "secret",
        AUTH_GOOGLE_DOMAINS: "Example.com, example.org",
        AUTH_OIDC_ID: "id",
        AUTH_OIDC_SECRET: "secret",
        AUTH_OIDC_ISSUER: "https://id.example.com"
      })
      expect(google?.authoritativeFor).toEqual(["example.com", "example.org"])
      expect(google === undefined ? "" : Redacted.value(google.clientSecret)).toBe("secret")
      expect(oidc).toMatchObject({
        issuer: "https://id.example.com",
        name: "OpenID",
        authoritativeFor: [],
        network: "public"
      })
      expect(JSON.stringify({ google, oidc })).not.toContain('"secret"')
    })
  )

  it.effect("lets a company's provider be in its own network where that is said, and takes no other word", () =>
    Effect.gen(function* () {
      const given = { AUTH_OIDC_ID: "id", AUTH_OIDC_SECRET: "secret", AUTH_OIDC_ISSUER: "https://id.example.com" }
      expect((yield* load({ ...given, AUTH_OIDC_NETWORK: "private" })).oidc?.network).toBe("private")
      const problem = yield* Effect.flip(load({ ...given, AUTH_OIDC_NETWORK: "any" }))
      expect(Setting.line(problem)).toContain("AUTH_OIDC_NETWORK")
    })
  )

  it.effect("lets people confirm by Entra where the setting says that it tells when it has asked them", () =>
    Effect.gen(function* () {
      const entra = { AUTH_MICROSOFT_ID: "id", AUTH_MICROSOFT_SECRET: "secret", AUTH_MICROSOFT_TENANT: "1" }
      const oidc = { AUTH_OIDC_ID: "id", AUTH_OIDC_SECRET: "secret", AUTH_OIDC_ISSUER: "https://id.example.com" }
      const asking = (given: Readonly<Record<string, string>>) =>
        Effect.map(load({ ...entra, ...oidc, ...given }), ({ microsoft, oidc: other }) => [
          microsoft?.asksAgain,
          other?.asksAgain
        ])
      expect(yield* asking({})).toEqual([false, true])
      expect(yield* asking({ AUTH_MICROSOFT_ASKS_AGAIN: "1", AUTH_OIDC_ASKS_AGAIN: "0" })).toEqual([true, false])
      const problem = yield* Effect.flip(asking({ AUTH_MICROSOFT_ASKS_AGAIN: "maybe" }))
      expect(Setting.line(problem)).toContain("AUTH_MICROSOFT_ASKS_AGAIN")
    })
  )

  it.effect.each([
    [{ AUTH_GOOGLE_ID: "id" }, "AUTH_GOOGLE_SECRET is not set, expected a value where AUTH_GOOGLE_ID is set"],
    [{ AUTH_GITHUB_ID: "id" }, "AUTH_GITHUB_SECRET is not set, expected a value where AUTH_GITHUB_ID is set"],
    [
      { AUTH_MICROSOFT_ID: "id", AUTH_MICROSOFT_SECRET: "secret" },
      "AUTH_MICROSOFT_TENANT is not set, expected a value where AUTH_MICROSOFT_ID is set"
    ],
    // A misspelled name of the id: the button would be missing without a word.
    [{ AUTH_GOOGLE_SECRET: "secret" }, "AUTH_GOOGLE_ID is not set, expected a value where AUTH_GOOGLE_SECRET is set"],
    [{ AUTH_GITHUB_SECRET: "secret" }, "AUTH_GITHUB_ID is not set, expected a value where AUTH_GITHUB_SECRET is set"],
    [
      { AUTH_MICROSOFT_TENANT: "1" },
      "AUTH_MICROSOFT_ID is not set, expected a value where AUTH_MICROSOFT_TENANT is set"
    ],
    [
      { AUTH_OIDC_ISSUER: "https://id.example.com" },
      "AUTH_OIDC_ID is not set, expected a value where AUTH_OIDC_ISSUER is set"
    ],
    [
      { AUTH_OIDC_ID: "id", AUTH_OIDC_SECRET: "secret" },
      "AUTH_OIDC_ISSUER is not set, expected a value where AUTH_OIDC_ID is set"
    ]
  ] as const)("names what is missing: %o", ([variables, line]) =>
    Effect.gen(function* () {
      expect(Setting.line(yield* Effect.flip(load(variables)))).toBe(line)
    })
  )
})
