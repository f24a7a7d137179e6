import { describe, expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Fiber, Layer, Logger, TestClock } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as LogLevelControl from "../../../layers/observability/internal/LogLevelControl.ts"
import * as Setting from "../../../src/config/internal/Setting.ts"
import * as Demo from "../../support/Demo.ts"

/** Runs the work with a level of its own, and with the list of what it logs. */
const logged = <A, E, R>(
  options: Parameters<typeof LogLevelControl.layer>[0],
  work: (lines: Array<string>) => Effect.Effect<A, E, R>
) => {
  const lines: Array<string> = []
  const logger = Logger.replace(
    Logger.defaultLogger,
    Logger.make(({ logLevel, message }) => void lines.push(`${logLevel.label} ${String(message)}`))
  )
  return Effect.provide(work(lines), Layer.provideMerge(LogLevelControl.layer(options), logger))
}

const speak = Effect.zipRight(Effect.logDebug("a detail"), Effect.logError("a failure"))
const second = TestClock.adjust("1 second")

describe("the log level", () => {
  it.scoped("is changed for fibers that run already, as often as the file changes", () =>
    Effect.gen(function* () {
      const path = join(yield* Demo.folder, "logs", "level.json")
      yield* logged({ path, level: "info" }, (lines) =>
        Effect.gen(function* () {
          const running = yield* Effect.fork(Effect.forever(Effect.delay(speak, "1 second")))
          yield* second
          expect(lines).toEqual(["ERROR a failure"])
          yield* LogLevelControl.change(path, "debug")
          yield* second
          yield* second
          expect(lines).toContain("DEBUG The log level is debug now")
          expect(lines).toContain("DEBUG a detail")
          yield* LogLevelControl.change(path, "none")
          yield* second
          lines.length = 0
          yield* second
          yield* speak
          expect(lines).toEqual([])
          yield* Fiber.interrupt(running)
        })
      )
    })
  )

  it.scoped("is the configured one after a restart, and whatever else the file contains", () =>
    Effect.gen(function* () {
      const path = join(yield* Demo.folder, "level.json")
      yield* LogLevelControl.change(path, "debug")
      yield* second
      yield* logged({ path, level: "error" }, (lines) =>
        Effect.gen(function* () {
          for (const text of ["", "debug", '{"level":"all","at":9e15}', '{"level":"debug"}', "\0".repeat(1000)]) {
            yield* second
            yield* Effect.logWarning("a warning")
            writeFileSync(path, text)
          }
          yield* second
          yield* speak
          expect(lines).toEqual(["ERROR a failure"])
        })
      )
    })
  )

  it.effect("is read from LOG_LEVEL, and a malformed one names it", () =>
    Effect.gen(function* () {
      const given = (text: string) =>
        Effect.withConfigProvider(LogLevelControl.config, ConfigProvider.fromMap(new Map([["LOG_LEVEL", text]])))
      expect(yield* given("")).toBe("info")
      expect(yield* given("warning")).toBe("warning")
      expect(Setting.line(yield* Effect.flip(given("loud")))).toBe(
        'LOG_LEVEL is "loud", expected one of trace, debug, info, warning, error, fatal, none'
      )
    })
  )

  it.scoped("that cannot be written is one line", () =>
    Effect.gen(function* () {
      const folder = yield* Demo.folder
      writeFileSync(join(folder, "logs"), "")
      const failure = yield* Effect.flip(LogLevelControl.change(join(folder, "logs", "level.json"), "debug"))
      expect(failure.message).toContain("The log level could not be written")
    })
  )
})
