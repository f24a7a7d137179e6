import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import * as ServerConfig from "../../../src/config/internal/ServerConfig.ts"
import * as Setting from "../../../src/config/internal/Setting.ts"

const read = (variables: Readonly<Record<string, string>>, healthPath = "/livez") =>
  Effect.withConfigProvider(
    ServerConfig.config({ healthPath }),
    ConfigProvider.fromMap(new Map(Object.entries(variables)))
  )

describe("the settings of the server", () => {
  it.effect("have defaults", () =>
    Effect.gen(function* () {
      expect(yield* read({})).toEqual({
        host: "127.0.0.1",
        port: 8087,
        workers: 1,
        storage: "storage",
        healthPath: "/livez",
        recordProbes: true,
        shutdownDelay: 0
      })
      expect((yield* read({}, "")).healthPath).toBe("")
    })
  )

  it.effect("have no probe when HEALTH_PATH is empty", () =>
    Effect.gen(function* () {
      expect((yield* read({ HEALTH_PATH: " " })).healthPath).toBe("")
      expect((yield* read({ HEALTH_PATH: "/up" })).healthPath).toBe("/up")
    })
  )

  it.effect("leave probes out of log and traces by RECORD_PROBES=0", () =>
    Effect.gen(function* () {
      expect((yield* read({ RECORD_PROBES: "0" })).recordProbes).toBe(false)
    })
  )

  it.effect.each([
    ["PORT", "65536", 'PORT is "65536", expected a whole number between 0 and 65535'],
    ["WORKERS", "0", 'WORKERS is "0", expected a whole number between 1 and 256'],
    ["SHUTDOWN_DELAY", "301", 'SHUTDOWN_DELAY is "301", expected a whole number between 0 and 300'],
    ["HEALTH_PATH", "livez", 'HEALTH_PATH is "livez", expected a path such as /livez, or an empty value'],
    ["HEALTH_PATH", "/a?b", 'HEALTH_PATH is "/a?b", expected a path such as /livez, or an empty value']
  ] as const)("refuse %s=%s", ([name, value, line]) =>
    Effect.gen(function* () {
      expect(Setting.line(yield* Effect.flip(read({ [name]: value })))).toBe(line)
    })
  )
})
