import { FetchHttpClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { expect, it } from "@effect/vitest"
import { Cause, Effect, Layer } from "effect"
import { ExceptionRecords, Reporters, Sources } from "effect-framework/errors"
import { WorkerRecords, WorkerReporters } from "effect-framework/layers/errors"
import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"

type Record = ExceptionRecords.ExceptionRecord

const frame = (place: ExceptionRecords.ExceptionFrame | ExceptionRecords.ExceptionCause) => ({
  function: "function" in place ? place.function : undefined,
  filename: place.file,
  lineno: place.line,
  in_app: true
})

// Sentry wants the root cause before what it caused, and the outermost frame first.
const values = ({ class: type, frames, message, previous }: Record) => [
  ...previous
    .toReversed()
    .map((cause) => ({ type: cause.class, value: cause.message, stacktrace: { frames: [frame(cause)] } })),
  { type, value: message, stacktrace: { frames: frames.toReversed().map(frame) } }
]

const event = (record: Record) => ({
  event_id: randomUUID().replaceAll("-", ""),
  timestamp: record.timestamp,
  platform: "node",
  level: "error",
  release: record.version,
  transaction: `${record.method} ${record.route ?? "unmatched"}`,
  fingerprint: [record.fingerprint],
  tags: { request_id: record.id },
  user: { id: record.account },
  contexts: { trace: { trace_id: record.trace_id, span_id: record.span_id } },
  exception: { values: values(record) }
})

/** Sends every exception to Sentry: `https://KEY@HOST/PROJECT`. */
const sentry = (dsn: string) => {
  const { host, pathname, protocol, username } = new URL(dsn)
  const send = (record: Record) => {
    const sent = event(record)
    const lines = [{ event_id: sent.event_id, dsn }, { type: "event" }, sent]
    return HttpClientRequest.post(`${protocol}//${host}/api${pathname}/envelope/`).pipe(
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

it.scopedLive("sends each exception to Sentry as an envelope", () =>
  Effect.gen(function* () {
    const envelopes: Array<string> = []
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        envelopes.push(`${request.method} ${request.url}\n${body}`)
        response.end("{}")
      })
    })
    yield* Effect.async<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void)))
    yield* Effect.addFinalizer(() => Effect.sync(() => server.close()))
    const address = server.address()
    const port = typeof address === "object" ? address?.port : undefined
    const services = sentry(`http://k1@127.0.0.1:${port}/42`).pipe(
      Layer.provide(WorkerRecords.layerWith({ version: "1.2.3" })),
      Layer.provideMerge(WorkerReporters.layer),
      Layer.provide([Sources.layerNone, FetchHttpClient.layer])
    )
    const failed = Effect.gen(function* () {
      const { notify, settle } = yield* Reporters.Reporters
      const error = new RangeError("No cup is left", { cause: new Error("The shelf broke") })
      yield* notify(Cause.die(error), { id: "r1", method: "GET", uri: "/cups/:cup", route: "/cups/:cup" })
      yield* settle
    })
    yield* Effect.provide(failed, services)
    const [head, , , sent = "{}"] = envelopes.join("\n").split("\n")
    expect([envelopes.length, head]).toEqual([1, "POST /api/42/envelope/"])
    const { exception, release, tags, transaction } = JSON.parse(sent)
    expect([release, tags.request_id, transaction]).toEqual(["1.2.3", "r1", "GET /cups/:cup"])
    expect(exception.values).toMatchObject([{ type: "Error" }, { type: "RangeError", value: "No cup is left" }])
    expect(exception.values[1].stacktrace.frames.at(-1).filename).toContain("sentry.test.ts")
  })
)
