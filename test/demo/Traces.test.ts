// One request, one story: from the browser through two workers and the mail queue, on both databases, at a real collector.
import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { describeDatabases, TestDatabase } from "../support/Databases.ts"
import { command, demo, folder, start } from "../support/Demo.ts"
import { receiver } from "../support/OtlpReceiver.ts"
import { serve } from "../support/SmtpServer.ts"
import * as Visitor from "../support/Visitor.ts"

const trace = "0af7651916cd43dd8448eb211c80319c"
const email = "ada@example.com"

describeDatabases("A traced request", (database) => {
  it.scopedLive("is one trace from the client to the delivery of its e-mail", () =>
    Effect.gen(function* () {
      const { url: databaseUrl } = yield* TestDatabase
      const collector = yield* receiver
      const smtp = yield* serve()
      const storage = yield* folder
      const environment = {
        DATABASE_URL: databaseUrl,
        STORAGE_DIR: storage,
        MAIL_HOST: "127.0.0.1",
        MAIL_PORT: String(smtp.port),
        MAIL_SECURE: "none",
        MAIL_QUEUE: "1",
        AUTH_ARGON2_MEMORY: "19456",
        AUTH_ARGON2_TIME: "2",
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_SERVICE_NAME: "shop"
      }
      const program = yield* demo({ ...environment, WORKERS: "2" })
      const visitor = Visitor.make(program.url)
      const page = yield* visitor.get("/register")
      const registered = yield* visitor.request("/register", {
        method: "POST",
        form: {
          _token: Visitor.tokenOf(page.body) ?? "",
          email,
          password: "quiet harbour",
          password_confirmation: "quiet harbour"
        },
        headers: { traceparent: `00-${trace}-b7ad6b7169203331-01`, tracestate: "vendor=1" }
      })
      expect(registered.status).toBe(303)
      const requests = 10
      for (let at = 0; at < requests; at++) yield* Visitor.make(program.url).get("/health")

      const worker = yield* start(command("queue", "run", "mail", "--once"), environment)
      expect(yield* worker.ended).toEqual({ code: 0, signal: null })
      program.signal("SIGTERM")
      yield* program.ended

      expect(collector.malformed).toEqual([])
      expect(smtp.received).toHaveLength(1)
      const story = collector.spans.filter(({ traceId }) => traceId === trace)
      const named = (name: string) => story.find((span) => span.name === name)
      const request = named("POST /register")
      expect(request).toMatchObject({ parentSpanId: "b7ad6b7169203331", traceState: "vendor=1", status: 0 })
      expect(request?.attributes["user.id"]).toMatch(/^[0-9a-f-]{36}$/)
      expect(request?.attributes["http.response.header.x-request-id"]).toEqual([registered.headers.get("x-request-id")])
      expect(named("Users.enroll")?.parentSpanId).toBe(request?.spanId)
      // A statement is named by its operation and its table.
      expect(named("INSERT users")?.attributes["db.query.text"]).toMatch(/^INSERT INTO "?users/)
      // The delivery ran in another process, and knows who asked for it.
      const enqueued = named("Jobs.enqueue")
      const delivered = named("job mail")
      expect(delivered?.links).toEqual([{ traceId: trace, spanId: delivered?.parentSpanId }])
      expect(story.map(({ spanId }) => spanId)).toContain(delivered?.parentSpanId)
      expect(delivered?.resource["process.pid"]).not.toBe(enqueued?.resource["process.pid"])
      expect(named("Mailer.send")?.parentSpanId).toBe(delivered?.spanId)

      // Nothing is lost at an orderly stop, and nothing tells more than it may.
      expect(collector.spans.filter(({ name }) => name === "GET /health")).toHaveLength(requests)
      const written = JSON.stringify([collector.spans, collector.logs], (_, value) =>
        typeof value === "bigint" ? String(value) : value
      )
      expect(written).not.toContain(email)
      expect(written).not.toContain("quiet harbour")
      const metrics = collector.metrics.at(-1)
      expect(metrics?.service).toBe("shop")
      const total = metrics?.metrics.get("http_requests_total")?.points.get("[]")?.value
      expect(total).toBe(requests + 2)
    }).pipe(Effect.provide(database.layer))
  )
})
