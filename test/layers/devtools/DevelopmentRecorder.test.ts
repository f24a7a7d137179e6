// Recorded requests on the real server, with real statements of both databases.
import { HttpLayerRouter } from "@effect/platform"
import { SqlClient } from "@effect/sql"
import { expect, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import * as DevelopmentRecorder from "../../../layers/devtools/internal/DevelopmentRecorder.ts"
import * as TrustedProxies from "../../../layers/session/TrustedProxies.ts"
import * as WebServer from "../../../layers/server/WebServer.ts"
import * as DebugRoutes from "../../../routes/devtools/internal/DebugRoutes.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as Respond from "../../../routes/session/Respond.ts"
import { RequestState, RequestStates } from "../../../src/http/internal/RequestState.ts"
import { RequestRecorder } from "../../../src/http/internal/RequestRecorder.ts"
import { parseTrusted } from "../../../src/session/internal/ForwardedFor.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { describeDatabases, TestDatabase } from "../../support/Databases.ts"
import { eventually } from "../../support/Eventually.ts"
import * as RecordedSpans from "../../support/RecordedSpans.ts"
import * as Serving from "../../support/Serving.ts"

const token = "swordfish-token-1234567890"

const cups = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const ids = [1, 2, 3, 4, 5, 6]
  yield* Effect.forEach(ids, (id) => sql`SELECT ${id} AS id`).pipe(Effect.withSpan("Cups.list"))
  yield* Effect.logWarning("The shelf is low", { kind: "blue", token })
  return Respond.json(ids)
}).pipe(Effect.orDie)

const missing = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT name FROM no_such_cups`)

const broken = Effect.gen(function* () {
  yield* cups
  yield* Effect.logError(`The kettle broke with ${token}`)
  return yield* Effect.map(missing, Respond.json)
}).pipe(Effect.orDie)

const routes = [
  HttpLayerRouter.route("GET", "/cups", cups),
  HttpLayerRouter.route("GET", "/broken", broken),
  HttpLayerRouter.route(
    "GET",
    "/id",
    Effect.map(RequestState, ({ trace }) => Respond.json({ trace: trace ?? null }))
  )
]

const get = (path: string, headers: Record<string, string> = {}) =>
  Effect.flatMap(ServerAddress, ({ url }) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}${path}`, { headers })
      return { status: response.status, headers: response.headers, body: await response.text() }
    })
  )

const served = Serving.layer<never, SqlClient.SqlClient | RequestState>(routes, { environment: "development" })

describeDatabases("A request in development", (database) => {
  const recorded = served.pipe(
    Layer.provideMerge(database.layer),
    Layer.provideMerge(DevelopmentRecorder.layer),
    Layer.provideMerge(RecordedSpans.layer)
  )
  layer(recorded, { excludeTestServices: true })("with a tracer of the program's own", (it) => {
    it.effect("is recorded with its spans, statements and log lines, and the tracer keeps its spans", () =>
      Effect.gen(function* () {
        const { headers } = yield* get(`/cups?access_token=${token}`)
        const id = headers.get("x-request-id") ?? ""
        const recorder = Option.fromNullable(yield* RequestRecorder)
        const found = yield* eventually(
          Effect.map(recorder, ({ list }) => list().find((request) => request.id === id)),
          (request) => request?.state === "ended"
        )
        expect(found).toMatchObject({ method: "GET", uri: "/cups", status: 200 })
        expect(found?.spans.map(({ name }) => name).slice(0, 3)).toEqual(["GET /cups", "Cups.list", "sql.execute"])
        expect(found?.lines).toMatchObject([{ level: "WARN", text: expect.stringContaining("The shelf is low") }])
        expect(JSON.stringify(found)).not.toContain(token)
        const names = (yield* RecordedSpans.RecordedSpans).map(({ name }) => name)
        expect(names).toEqual(expect.arrayContaining(["GET /cups", "Cups.list", "sql.execute"]))
      })
    )

    it.effect("is on the error page with its timeline, its statements and its log lines", () =>
      Effect.gen(function* () {
        const { body, status } = yield* get("/broken", { accept: "text/html", cookie: `session=${token}` })
        expect(status).toBe(500)
        expect(body).toContain("The table no_such_cups does not exist.")
        expect(body).toContain("<code>npm run migrate</code>")
        expect(body).toMatch(/SQL, 7 statements in/)
        expect(body).toContain("Ran 6 times in one request (n+1)")
        expect(body).toMatch(/Log, 2 lines/)
        expect(body).toContain("The kettle broke with ********")
        expect(body).toContain('<rect class="failed"')
        expect(body).not.toContain(token)
      })
    )

    it.effect("has hints, statements and log lines in the JSON of an error", () =>
      Effect.gen(function* () {
        const { body } = yield* get("/broken", { accept: "application/json", cookie: `session=${token}` })
        expect(JSON.parse(body)).toMatchObject({
          error: "SqlError",
          hints: [expect.stringContaining("npm run migrate")],
          queries: expect.arrayContaining([expect.objectContaining({ count: 6, duration_ms: expect.any(Number) })]),
          logs: [expect.stringMatching(/^WARN The shelf is low/), "ERROR The kettle broke with ********"]
        })
        expect(body).not.toContain(token)
      })
    )

    it.effect("is in the panel: in the list, and by its id", () =>
      Effect.gen(function* () {
        const first = yield* get("/cups", { "x-request-id": "my%id" })
        expect(first.headers.get("x-request-id")).toBe("my%id")
        yield* get("/broken", { "x-request-id": "the-failing-one" })
        const { body, headers, status } = yield* get("/_debug")
        expect(status).toBe(200)
        expect(headers.get("cache-control")).toBe("no-store")
        expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'nonce-\w+'/)
        expect(body).toContain('href="/_debug/requests/my%25id"')
        expect(body).toContain("n+1")
        expect(body).toContain(`<td class="number">${process.pid}</td>`)
        expect(body).not.toContain("GET /_debug")
        const detail = yield* get("/_debug/requests/my%25id")
        expect(detail.body).toMatch(/SQL, 6 statements in/)
        const failing = yield* get("/_debug/requests/the-failing-one")
        expect(failing.body).toContain("SqlError: ")
        const unknown = yield* get("/_debug/requests/nobody")
        expect([unknown.status, unknown.body]).toEqual([404, expect.stringContaining("No worker has such a request")])
      })
    )
  })

  const own = served.pipe(Layer.provideMerge(database.layer), Layer.provideMerge(DevelopmentRecorder.layer))
  layer(own, { excludeTestServices: true })("without a tracer", (it) => {
    it.effect("is recorded by one that nothing else sees", () =>
      Effect.gen(function* () {
        yield* TestDatabase
        yield* get("/cups", { "x-request-id": "alone" })
        expect((yield* get("/_debug/requests/alone")).body).toMatch(/Timeline, 8 spans/)
        expect(JSON.parse((yield* get("/id")).body)).toEqual({ trace: null })
      })
    )
  })

  const above = served.pipe(
    Layer.provideMerge(RecordedSpans.layer),
    Layer.provideMerge(database.layer),
    Layer.provideMerge(DevelopmentRecorder.layer)
  )
  layer(above, { excludeTestServices: true })("with a tracer above the recorder", (it) => {
    it.effect("is recorded as well", () =>
      Effect.gen(function* () {
        yield* get("/cups", { "x-request-id": "above" })
        expect((yield* get("/_debug/requests/above")).body).toMatch(/Timeline, 8 spans/)
        expect((yield* RecordedSpans.RecordedSpans).map(({ name }) => name)).toContain("GET /cups")
      })
    )
  })
})

const options = { environment: "development", trusted: parseTrusted("127.0.0.1, ::1") ?? [] } as const

// Every connection comes from another machine.
const remote = Layer.map(TrustedProxies.layerWith([]), (context) => {
  const { open } = Context.get(context, RequestStates)
  return Context.make(RequestStates, { open: (head) => open({ ...head, remoteAddress: "203.0.113.7" }) })
})

const panel = Pipeline.app(Pipeline.stateless([]))

const servedTo = (clients: Layer.Layer<RequestStates>) =>
  WebServer.layer(panel, { host: "127.0.0.1", port: 0 }).pipe(
    Layer.provideMerge(Layer.provideMerge(clients, Serving.support(options))),
    Layer.provideMerge(DevelopmentRecorder.layer)
  )

const paths = DebugRoutes.routes.map(({ path }) => path.replace(/:\w+/g, "a"))

layer(servedTo(TrustedProxies.layerWith(options.trusted)), { excludeTestServices: true })(
  "The development panel",
  (it) => {
    it.effect.each(paths)("%s refuses what a proxy forwards, which has the address of the proxy", (path) =>
      Effect.gen(function* () {
        const headers = [
          { "x-forwarded-for": "203.0.113.7" },
          { "x-forwarded-for": "127.0.0.1" },
          { "x-forwarded-host": "localhost" },
          { "x-forwarded-proto": "https" },
          { "x-real-ip": "127.0.0.1" },
          { forwarded: "for=127.0.0.1" },
          { via: "1.1 proxy" }
        ]
        for (const given of headers) expect([given, (yield* get(path, given)).status]).toEqual([given, 403])
        expect((yield* get(path)).status).not.toBe(403)
      })
    )

    it.effect("responds on this machine", () => Effect.map(get("/_debug"), ({ status }) => expect(status).toBe(200)))
  }
)

layer(servedTo(remote), { excludeTestServices: true })("The development panel of another machine", (it) => {
  it.effect.each(paths)("%s refuses it, whatever host it names", (path) =>
    Effect.map(get(path), ({ status }) => expect(status).toBe(403))
  )
})

const plain = Serving.layer([HttpLayerRouter.route("GET", "/cup", Effect.succeed(Respond.json({})))])

layer(plain, { excludeTestServices: true })("A program that does not record", (it) => {
  it.effect("has none of the paths", () =>
    Effect.gen(function* () {
      for (const path of paths) {
        expect((yield* get(path)).status).toBe(404)
      }
      expect(yield* RequestRecorder).toBeUndefined()
    })
  )
})
