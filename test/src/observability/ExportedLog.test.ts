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
      const route = "/articles/:id"
      const context = { id: "r1", method: "GET", uri: route, route, trace, span: "b7ad6b7169203331", account: "a1" }
      const line = RecordLine.maker(yield* Sources).make(new Throwable(new Error("no")), context, 1_700_000_000_000)
      expect(ExportedLog.ofException(line)).toMatchObject({
        at: 1_700_000_000_000,
        level: "Error",
        body: "no",
        traceId: trace,
        spanId: context.span,
        attributes: {
          "request.id": "r1",
          "user.id": "a1",
          "url.path": route,
          "http.route": route,
          "exception.type": "Error"
        }
      })
    }).pipe(Effect.provide(layerNone))
  )

  it.effect("of an exception never has a path that no route matched", () =>
    Effect.gen(function* () {
      const context = { id: "r1", method: "GET", uri: "/recover/selector/mistyped-token" }
      const made = RecordLine.maker(yield* Sources).make(new Throwable(new Error("no")), context, 0)
      const { attributes } = ExportedLog.ofException(made)
      expect(attributes["url.path"]).toBe("unmatched")
      expect(JSON.stringify(attributes)).not.toContain("mistyped-token")
    }).pipe(Effect.provide(layerNone))
  )
})
