import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Redacted } from "effect"
import * as Settings from "../../demo/Settings.ts"
import * as DatabaseUrl from "../../src/database/DatabaseUrl.ts"
import { VERSION } from "../../src/config/internal/Version.ts"

const read = (variables: Readonly<Record<string, string>>) =>
  Settings.config.pipe(Effect.withConfigProvider(ConfigProvider.fromMap(new Map(Object.entries(variables)))))

describe("the settings of the demo", () => {
  it.effect("are those of the contract when nothing is set", () =>
    Effect.gen(function* () {
      const settings = yield* read({})
      expect(settings.server).toEqual({
        host: "127.0.0.1",
        port: 8087,
        workers: 1,
        storage: "storage",
        healthPath: "/livez",
        recordProbes: true,
        shutdownDelay: 0
      })
      expect(settings.database).toEqual(DatabaseUrl.Sqlite({ path: "storage/demo.sqlite" }))
      expect(settings.environment).toBe("production")
      expect(settings.auth.appUrl).toBe("http://localhost:8087")
      expect(settings.mail.transport._tag).toBe("File")
      expect(settings.trusted).toEqual([])
    })
  )

  it.effect("put the default database into the storage folder", () =>
    Effect.gen(function* () {
      const { database } = yield* read({ STORAGE_DIR: "/var/lib/demo" })
      expect(database).toEqual(DatabaseUrl.Sqlite({ path: "/var/lib/demo/demo.sqlite" }))
    })
  )

  it.effect("have what OTEL_* says, and the version of the program", () =>
    Effect.gen(function* () {
      const { metricsExporter } = yield* read({})
      expect(metricsExporter).toMatchObject({
        endpoint: "http://localhost:4318",
        service: "framework-service",
        attributes: { "service.version": VERSION },
        timeout: 10_000
      })
      const set = yield* read({
        OTEL_EXPORTER_OTLP_ENDPOINT: "https://collector.example.com/otlp/",
        OTEL_EXPORTER_OTLP_HEADERS: "api-key=k",
        OTEL_EXPORTER_OTLP_TIMEOUT: "500",
        OTEL_SERVICE_NAME: "shop",
        OTEL_RESOURCE_ATTRIBUTES: "service.version=9,deployment.environment=staging"
      })
      expect({ ...set.metricsExporter, headers: Redacted.value(set.metricsExporter.headers) }).toEqual({
        endpoint: "https://collector.example.com/otlp",
        headers: { "api-key": "k" },
        timeout: 500,
        service: "shop",
        attributes: { "service.version": "9", "deployment.environment": "staging" },
        compression: "none",
        signals: { traces: {}, logs: {}, metrics: {} }
      })
    })
  )

  it.effect("switch the probe off with an empty path", () =>
    Effect.gen(function* () {
      expect((yield* read({ HEALTH_PATH: "" })).server.healthPath).toBe("")
    })
  )

  it.effect.each([
    ["PORT", "abc", 'PORT is "abc", expected a whole number between 0 and 65535'],
    ["PORT", "65536", 'PORT is "65536", expected a whole number between 0 and 65535'],
    ["WORKERS", "0", 'WORKERS is "0", expected a whole number between 1 and 256'],
    ["APP_URL", "ftp://x", 'APP_URL is "ftp://x", expected an http or https address without query or fragment'],
    [
      "APP_URL",
      "http://u:p@x",
      'APP_URL is "http://u:p@x", expected an http or https address without query or fragment'
    ],
    ["HEALTH_PATH", "livez", 'HEALTH_PATH is "livez", expected a path such as /livez, or an empty value'],
    [
      "TRUSTED_PROXIES",
      "10.0.0.0/99",
      'TRUSTED_PROXIES is "10.0.0.0/99", expected a comma-separated list of addresses or CIDR ranges'
    ],
    ["AUTH_REMEMBER_TTL", "-1", 'AUTH_REMEMBER_TTL is "-1", expected a whole number between 1 and 315360000'],
    ["AUTH_REMEMBER_NAME", "a b", 'AUTH_REMEMBER_NAME is "a b", expected a cookie name'],
    ["AUTH_SESSION_NAME", "a=b", 'AUTH_SESSION_NAME is "a=b", expected a cookie name'],
    [
      "AUTH_REMEMBER_NAME",
      "session",
      'AUTH_REMEMBER_NAME is "session" and AUTH_SESSION_NAME is "session", expected two different cookie names'
    ],
    ["AUTH_ARGON2_MEMORY", "1024", 'AUTH_ARGON2_MEMORY is "1024", expected a whole number between 19456 and 4194304'],
    ["AUTH_ARGON2_TIME", "1", 'AUTH_ARGON2_TIME is "1", expected a whole number between 2 and 100'],
    ["MAIL_PORT", "x", 'MAIL_PORT is "x", expected a whole number between 1 and 65535'],
    ["MAIL_SECURE", "ssl", 'MAIL_SECURE is "ssl", expected one of starttls, tls, none'],
    [
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      "collector:4318",
      'OTEL_EXPORTER_OTLP_ENDPOINT is "collector:4318", expected an http or https address without query or fragment'
    ],
    [
      "OTEL_EXPORTER_OTLP_HEADERS",
      "api-key",
      "OTEL_EXPORTER_OTLP_HEADERS is ********, expected name=value pairs with commas between them"
    ],
    [
      "OTEL_EXPORTER_OTLP_TIMEOUT",
      "10s",
      'OTEL_EXPORTER_OTLP_TIMEOUT is "10s", expected a whole number between 1 and 600000'
    ],
    [
      "OTEL_RESOURCE_ATTRIBUTES",
      "staging",
      'OTEL_RESOURCE_ATTRIBUTES is "staging", expected key=value pairs with commas between them, what is not plain ASCII percent-encoded'
    ],
    [
      "DATABASE_URL",
      "mysql://root:secret@db/x",
      'DATABASE_URL is "mysql://root:********@db/x", expected file:PATH or postgres://USER:PASSWORD@HOST:PORT/DATABASE'
    ]
  ] as const)("refuse %s=%s in one line that names it", ([name, value, line]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(read({ [name]: value }))
      expect(failure.message).toBe(line)
    })
  )
})
