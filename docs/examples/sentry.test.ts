import { HttpClient, HttpClientRequest, FetchHttpClient } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { Cause, Effect, Layer } from "effect"
import { ExceptionRecords, Reporters, Sources } from "effect-framework/errors"
import { WorkerRecords, WorkerReporters } from "effect-framework/layers/errors"
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"

type Record = ExceptionRecords.ExceptionRecord

// Sentry wants the outermost frame first, and the root cause before what it caused.
const exceptions = ({ class: type, frames, message, previous }: Record) => [
  ...previous.toReversed().map((cause) => ({
    type: cause.class,
    value: cause.message,
    stacktrace: { frames: [{ filename: cause.file, lineno: cause.line, in_app: true }] }
  })),
  {
    type,
    value: message,
    stacktrace: {
      frames: frames.toReversed().map((frame) => ({
        function: frame.function,
        filename: frame.file,
        lineno: frame.line,
        in_app: true
      }))
    }
  }
]

const event = (record: Record) => ({
  event_id: randomUUID().replaceAll("-", ""),
  timestamp: record.timestamp,
  platform: "node",
  level: "error",
  release: record.version,
  transaction: `${record.method} ${record.uri}`,
  fingerprint: [record.fingerprint],
  tags: { request_id: record.id },
  user: { id: record.account },
  contexts: { trace: { trace_id: record.trace_id, span_id: record.span_id } },
  exception: { values: exceptions(record) }
})

/** Sends every exception to Sentry: `https://KEY@HOST/PROJECT`. */
const sentry = (dsn: string) => {
  const { host, pathname, protocol, username } = new URL(dsn)
  const url = `${protocol}//${host}/api${pathname}/envelope/`
  const send = (record: Record) => {
    const sent = event(record)
    const lines = [{ event_id: sent.event_id, dsn }, { type: "event" }, sent]
    return HttpClientRequest.post(url).pipe(
      HttpClientRequest.setHeader("x-sentry-auth", `Sentry sentry_version=7, sentry_key=${username}`),
      HttpClientRequest.bodyText(lines.map((line) => JSON.stringify(line)).join("\n"), "application/x-sentry-envelope"),
      HttpClient.execute
    )
  }
  return Layer.unwrapEffect(
    Effect.map(HttpClient.HttpClient, (client) =>
      ExceptionRecords.layer((records) =>
        Effect.forEach(records, send).pipe(Effect.scoped, Effect.provideService(HttpClient.HttpClient, client))
      )
    )
  )
}

/** A receiver on this machine, and the envelopes that it has received. */
const receiver = Effect.acquireRelease(
  Effect.async<{ readonly port: number; readonly envelopes: Array<string>; readonly close: () => void }>((resume) => {
    const envelopes: Array<string> = []
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        envelopes.push(`${request.method} ${request.url} ${request.headers["x-sentry-auth"]}\n${body}`)
        response.end("{}")
      })
    })
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ port, envelopes, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

it.scopedLive("sends each exception to Sentry as an envelope", () =>
  Effect.gen(function* () {
    const { envelopes, port } = yield* receiver
    const services = sentry(`http://k1@127.0.0.1:${port}/42`).pipe(
      Layer.provide(WorkerRecords.layerWith({ version: "1.2.3" })),
      Layer.provideMerge(WorkerReporters.layer),
      Layer.provide([Sources.layerNone, FetchHttpClient.layer])
    )
    const failed = Effect.gen(function* () {
      const { notify, settle } = yield* Reporters.Reporters
      const error = new RangeError("No cup is left", { cause: new Error("The shelf broke") })
      yield* notify(Cause.die(error), { id: "r1", method: "GET", uri: "/cups/:cup" })
      yield* settle
    })
    yield* Effect.provide(failed, services)
    const [head = "", , , sent = "{}"] = (envelopes[0] ?? "").split("\n")
    expect([envelopes.length, head]).toEqual([1, "POST /api/42/envelope/ Sentry sentry_version=7, sentry_key=k1"])
    const { exception, release, tags, transaction } = JSON.parse(sent)
    expect([release, tags.request_id, transaction]).toEqual(["1.2.3", "r1", "GET /cups/:cup"])
    expect(exception.values.map(({ type }: { readonly type: string }) => type)).toEqual(["Error", "RangeError"])
    expect(exception.values[1].stacktrace.frames.at(-1).filename).toContain("sentry.test.ts")
  })
)
