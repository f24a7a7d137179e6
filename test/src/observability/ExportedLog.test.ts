import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Logger } from "effect"
import * as RecordLine from "../../../src/errors/internal/RecordLine.ts"
import { layerNone, Sources } from "../../../src/errors/Sources.ts"
import { Throwable } from "../../../src/errors/Throwable.ts"
import * as ExportedLog from "../../../src/observability/internal/export/ExportedLog.ts"
import type { LogRecord } from "../../../src/observability/internal/export/OtlpLogs.ts"

const recordsOf = (logs: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const records: Array<LogRecord> = []
    const keep = Logger.make<unknown, void>((entry) => void records.push(ExportedLog.ofEntry(entry, (place) => place)))
    yield* Effect.provide(logs, Logger.replace(Logger.defaultLogger, keep))
    return records
  })

describe("A log record for a collector", () => {
  it.effect("has the level, the message, the annotations and the error of the entry", () =>
    Effect.gen(function* () {
      const logs = Effect.annotateLogs(Effect.logError("A sweep failed", Cause.die(new TypeError("no cups"))), {
        table: "tokens"
      })
      const [record] = yield* recordsOf(logs)
      expect(record).toMatchObject({
        level: "Error",
        body: "A sweep failed",
        attributes: {
          table: "tokens",
          "exception.type": "TypeError",
          "exception.message": "no cups",
          "code.file.path": expect.stringContaining("ExportedLog.test.ts")
        }
      })
    })
  )

  it.effect("shows no secret", () =>
    Effect.gen(function* () {
      const logs = Effect.annotateLogs(Effect.logInfo("password=hunter22"), { api_key: "k1234567" })
      expect(JSON.stringify(yield* recordsOf(logs))).not.toMatch(/hunter22|k1234567/)
    })
  )

  it.effect("of an exception names the request, the trace, the account and the statement", () =>
    Effect.gen(function* () {
      const trace = "0af7651916cd43dd8448eb211c80319c"
      const context = { id: "r1", method: "GET", uri: "/articles/:id", trace, account: "a1" }
      const line = RecordLine.maker(yield* Sources).make(new Throwable(new Error("no")), context, 1_700_000_000_000)
      expect(ExportedLog.ofException(line)).toMatchObject({
        at: 1_700_000_000_000,
        level: "Error",
        body: "no",
        traceId: trace,
        attributes: { "request.id": "r1", "user.id": "a1", "url.path": "/articles/:id", "exception.type": "Error" }
      })
    }).pipe(Effect.provide(layerNone))
  )
})
