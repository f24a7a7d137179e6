// Server-sent events over real sockets: what is sent, and what ends a stream that has no end of its own.
import { openBearer } from "../../../src/session/internal/SessionGrants.ts"
import { describe, expect, it, layer } from "@effect/vitest"
import {
  HttpApi,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpApiSchema,
  HttpLayerRouter,
  HttpServerRequest
} from "@effect/platform"
import { Context, Duration, Effect, Exit, Layer, Option, Redacted, Scope, Stream, TestClock } from "effect"
import { IncomingMessage } from "node:http"
import { connect, type Socket } from "node:net"
import type * as WebServer from "../../../layers/server/WebServer.ts"
import * as ApiAuthentication from "../../../routes/auth/ApiAuthentication.ts"
import * as ScopeAuthentication from "../../../routes/auth/ScopeAuthentication.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as ApiHandlers from "../../../routes/server/ApiHandlers.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as ServerSentEvents from "../../../routes/session/ServerSentEvents.ts"
import * as ApiScopes from "../../../src/auth/ApiScopes.ts"
import { ApiTokens } from "../../../src/auth/ApiTokens.ts"
import { Sessions } from "../../../src/session/Session.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestApp from "../../../testing/TestApp.ts"
import { describeDatabases } from "../../support/Databases.ts"
import { eventually, ticking } from "../../support/Eventually.ts"
import * as OpenResponse from "../../support/OpenResponse.ts"
import * as Serving from "../../support/Serving.ts"

const EventText = HttpApiSchema.Text({ contentType: "text/event-stream" })

const group = HttpApiGroup.make("events")
  .add(HttpApiEndpoint.get("mine", "/mine").addSuccess(EventText))
  .middleware(ApiAuthentication.ApiAuthentication)

const scopes = ApiScopes.make({ "events:read": "Watch what happens" })

const scoped = HttpApiGroup.make("scoped").add(
  HttpApiEndpoint.get("watched", "/watched")
    .addSuccess(EventText)
    .middleware(ScopeAuthentication.requires(scopes, "events:read"))
)

const EventsApi = HttpApi.make("events").add(group).add(scoped).prefix("/api")

const never = Stream.concat(Stream.make({ data: "first" }), Stream.never)

const handlers = Layer.merge(
  ApiHandlers.group(EventsApi, "events", (all) => all.handleRaw("mine", () => ServerSentEvents.response(never))),
  ApiHandlers.group(EventsApi, "scoped", (all) => all.handleRaw("watched", () => ServerSentEvents.response(never)))
)

const counted = Effect.flatMap(ServerSentEvents.lastEventId, (last) => {
  const from = Number(Option.getOrElse(last, () => "0"))
  return ServerSentEvents.response(
    Stream.range(from + 1, 3).pipe(Stream.map((n) => ({ id: String(n), event: "count", data: `${n}\nof 3` }))),
    { retry: "1 second" }
  )
})

const app = Pipeline.app([
  ...Pipeline.pages([...AuthRoutes.routes, HttpLayerRouter.route("GET", "/count", counted)]),
  ...Pipeline.stateless([HttpLayerRouter.route("GET", "/open", ServerSentEvents.response(never))]),
  ...Pipeline.api(EventsApi)
])

const services = ApiHandlers.layer(EventsApi).pipe(
  Layer.provide(handlers),
  Layer.provide(Layer.merge(ApiAuthentication.layer, ScopeAuthentication.layer(scopes)))
)

const cookieOf = ({ address, jar }: TestApp.SignedInClient) => ({
  cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
  "x-forwarded-for": address
})

const endOf = ({ ended }: OpenResponse.OpenResponse) => ticking(ended)

layer(TestApp.layerOf(app, { services }))("Server-sent events", (it) => {
  it.scoped("are sent with their fields, and go on after the last one that a client has got", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const first = yield* OpenResponse.open(`${url}/count`)
      expect(yield* first.ended).toBe("whole")
      expect(first.headers).toMatchObject({ "content-type": "text/event-stream", "cache-control": "no-store" })
      const event = (n: number) => `event: count\nid: ${n}\ndata: ${n}\ndata: of 3\n\n`
      expect(first.received()).toBe(`retry: 1000\n\n${event(1)}${event(2)}${event(3)}`)
      const again = yield* OpenResponse.open(`${url}/count`, { "last-event-id": "2" })
      yield* again.ended
      expect(again.received()).toBe(`retry: 1000\n\n${event(3)}`)
      const tooLong = yield* OpenResponse.open(`${url}/count`, { "last-event-id": "2".repeat(2000) })
      yield* tooLong.ended
      expect(tooLong.received()).toContain("id: 1\n")
    })
  )

  it.scoped("come at once, and a silent stream has a heartbeat", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const stream = yield* OpenResponse.open(`${url}/open`)
      expect(yield* stream.says(/first\n\n/)).toBe("retry: 3000\n\ndata: first\n\n")
      yield* TestClock.adjust("15 seconds")
      expect(yield* ticking(stream.says(/first\n\n:\n\n/))).toContain(":\n\n")
    })
  )

  it.scoped("need the guard of their endpoint, and end with the session", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      expect((yield* OpenResponse.open(`${url}/api/mine`)).status).toBe(401)
      const [ann, bob] = [yield* TestApp.signedInUser(), yield* TestApp.signedInUser()]
      const stream = yield* OpenResponse.open(`${url}/api/mine`, cookieOf(ann))
      const other = yield* OpenResponse.open(`${url}/api/mine`, cookieOf(bob))
      expect(stream.status).toBe(200)
      yield* stream.says(/first/)
      yield* other.says(/first/)
      yield* TestClock.adjust("15 seconds")
      yield* ticking(stream.says(/:\n\n/))
      yield* ann.submit("/logout", {})
      yield* TestClock.adjust("15 seconds")
      expect(yield* endOf(stream)).toBe("whole")
      yield* ticking(other.says(/:\n\n:\n\n/))
      expect(other.received()).toContain(":\n\n:\n\n")
    })
  )
})

layer(TestApp.layerOf(app, { services }))("The streams of an account", (it) => {
  it.scoped("are 20, from whatever address and by whatever credential, and those of others as many", () =>
    Effect.gen(function* () {
      const { url } = yield* ServerAddress
      const [ann, bob] = [yield* TestApp.signedInUser(), yield* TestApp.signedInUser()]
      const bearer = (yield* TestApp.bearerUser(ann.user)).headers.get("authorization") ?? ""
      const open = (headers: Record<string, string>) =>
        Effect.map(OpenResponse.open(`${url}/api/mine`, headers), ({ status }) => status)
      const addresses = Array.from({ length: 19 }, (_, at) => `198.51.100.${at}`)
      const statuses = yield* Effect.forEach(addresses, (address) =>
        open({ ...cookieOf(ann), "x-forwarded-for": address })
      )
      expect(new Set(statuses)).toEqual(new Set([200]))
      expect(yield* open({ authorization: bearer })).toBe(200)
      expect(yield* open({ authorization: bearer })).toBe(429)
      expect(yield* open(cookieOf(ann))).toBe(429)
      expect(yield* open(cookieOf(bob))).toBe(200)
    })
  )
})

describeDatabases("The server-sent events of a bearer", (database) => {
  const watch = Effect.fnUntraced(function* (path: string, authorization: string, more = {}) {
    const { url } = yield* ServerAddress
    const stream = yield* OpenResponse.open(`${url}/api/${path}`, { authorization, ...more })
    expect([path, stream.status]).toEqual([path, 200])
    yield* stream.says(/first/)
    return stream
  })

  /** A stream that a token of this account has opened. */
  const byToken = Effect.fnUntraced(function* (user: TestApp.TestUser, ttl: Duration.DurationInput, more = {}) {
    const tokens = yield* ApiTokens
    const { handle, secret } = yield* tokens.create(user.id, { name: "watch", scopes: ["events:read"], ttl })
    return { handle, stream: yield* watch("watched", `Bearer ${Redacted.value(secret)}`, more) }
  })

  const settings = { sessionIdle: Duration.minutes(5) }

  layer(TestApp.layerOf(app, { services, settings, database: database.layer }))((it) => {
    it.scoped("end when its session is revoked or expires", () =>
      Effect.gen(function* () {
        const [ann, bob] = [yield* TestApp.bearerUser(), yield* TestApp.bearerUser()]
        const of = ({ headers }: TestApp.SignedInClient) => headers.get("authorization") ?? ""
        const streams = [yield* watch("mine", of(ann)), yield* watch("watched", of(ann))]
        const other = yield* watch("watched", of(bob))
        yield* Effect.flatMap(Sessions, ({ revoke }) => revoke(ann.user.id))
        yield* TestClock.adjust("15 seconds")
        for (const stream of streams) expect(yield* endOf(stream)).toBe("whole")
        expect(yield* ticking(other.says(/:\n\n/))).toContain(":\n\n")
        yield* TestClock.adjust("6 minutes")
        expect(yield* endOf(other)).toBe("whole")
      })
    )

    it.scoped("go on while its session lives, however many newer ones the account has", () =>
      Effect.gen(function* () {
        const { headers, user } = yield* TestApp.bearerUser()
        const stream = yield* watch("mine", headers.get("authorization") ?? "")
        yield* TestClock.adjust("10 seconds")
        const { list, [openBearer]: open, revoke } = yield* Sessions
        // More than `list` shows.
        const [{ handle } = { handle: "" }] = yield* list(user.id)
        yield* Effect.replicateEffect(open({ ...user, verified: true }), 101)
        expect((yield* list(user.id)).map((one) => one.handle)).not.toContain(handle)
        yield* TestClock.adjust("1 minute")
        expect(yield* ticking(stream.says(/:\n\n:\n\n/))).toContain(":\n\n:\n\n")
        yield* revoke(user.id)
        yield* TestClock.adjust("15 seconds")
        expect(yield* endOf(stream)).toBe("whole")
      })
    )

    it.scoped("end when its API token is revoked, and those of no other token or session", () =>
      Effect.gen(function* () {
        // The cookies beside a token do not count: their session lives on, and the stream ends.
        const ann = yield* TestApp.signedInUser()
        const first = yield* byToken(ann.user, "30 days", cookieOf(ann))
        const second = yield* byToken(ann.user, "30 days")
        const { url } = yield* ServerAddress
        const session = yield* OpenResponse.open(`${url}/api/watched`, cookieOf(ann))
        yield* session.says(/first/)
        const tokens = yield* ApiTokens
        expect(yield* tokens.revoke(ann.user.id, first.handle)).toBe(true)
        yield* TestClock.adjust("15 seconds")
        expect(yield* endOf(first.stream)).toBe("whole")
        for (const stream of [second.stream, session]) expect(yield* ticking(stream.says(/:\n\n/))).toContain(":\n\n")
        yield* tokens.revokeAll(ann.user.id)
        yield* TestClock.adjust("15 seconds")
        expect(yield* endOf(second.stream)).toBe("whole")
        expect(yield* ticking(session.says(/:\n\n:\n\n/))).toContain(":\n\n:\n\n")
      })
    )

    it.scoped("end when its API token expires, and are no further use of it", () =>
      Effect.gen(function* () {
        const user = yield* TestApp.enrolledUser()
        const [short, long] = [yield* byToken(user, "10 seconds"), yield* byToken(user, "10 days")]
        const tokens = yield* ApiTokens
        const used = Effect.map(tokens.list(user.id), (all) => all.map(({ handle, lastUsed }) => [handle, lastUsed]))
        const before = yield* used
        yield* TestClock.adjust("15 seconds")
        expect(yield* endOf(short.stream)).toBe("whole")
        yield* TestClock.adjust("5 minutes")
        expect(yield* ticking(long.stream.says(/:\n\n:\n\n/))).toContain(":\n\n:\n\n")
        expect(yield* used).toEqual(before.filter(([handle]) => handle === long.handle))
      })
    )
  })
})

const open = HttpLayerRouter.route("GET", "/open", ServerSentEvents.response(never))
const flood = HttpLayerRouter.route(
  "GET",
  "/flood",
  ServerSentEvents.response(Stream.repeatValue({ data: "x".repeat(60_000) }))
)

const eventSize = 60_000
const sent = { events: 0, mostWaiting: 0, socket: undefined as Socket | undefined }

// What was produced and has not been given to the kernel waits in this process.
const waiting = (): number =>
  sent.socket === undefined ? 0 : sent.events * eventSize - (sent.socket.bytesWritten - sent.socket.writableLength)

const watched = HttpLayerRouter.route(
  "GET",
  "/watched",
  Effect.gen(function* () {
    const { source } = yield* HttpServerRequest.HttpServerRequest
    sent.socket = source instanceof IncomingMessage ? source.socket : undefined
    const events = Stream.repeatEffect(
      Effect.sync(() => {
        sent.events++
        sent.mostWaiting = Math.max(sent.mostWaiting, waiting())
        return { data: "x".repeat(eventSize) }
      })
    )
    // Far more than a kernel keeps for a client that does not read.
    return yield* ServerSentEvents.response(Stream.take(events, 2000))
  })
)

const many = 200
const ended = { count: 0 }
const counting = HttpLayerRouter.route(
  "GET",
  "/counting",
  ServerSentEvents.response(
    Stream.ensuring(
      never,
      Effect.sync(() => ended.count++)
    ),
    { perClient: many }
  )
)

const turn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

const reading = (port: number, path: string) =>
  Effect.acquireRelease(
    Effect.async<Socket>((resume) => {
      const socket = connect(port, "127.0.0.1", () => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`))
      socket.once("data", () => resume(Effect.succeed(socket)))
      socket.on("error", () => undefined)
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

const serve = (options: Partial<Parameters<typeof WebServer.layer>[1]>) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
    const context = yield* Layer.buildWithScope(Serving.layer([open, flood, watched, counting], options), scope)
    return { ...Context.get(context, ServerAddress), stop: Scope.close(scope, Exit.void) }
  })

describe("A worker with open streams", () => {
  it.scoped("ends them when it stops, without waiting for the deadline", () =>
    Effect.gen(function* () {
      // The deadline never passes: the clock of the test stands still.
      const { stop, url } = yield* serve({})
      const stream = yield* OpenResponse.open(`${url}/open`)
      yield* stream.says(/first/)
      yield* stop
      expect(yield* stream.ended).toBe("whole")
    })
  )

  it.scopedLive("refuses one too many with 503, and has its place again when one has ended", () =>
    Effect.gen(function* () {
      const { url } = yield* serve({ streams: 1 })
      const inner = yield* Scope.make()
      const stream = yield* Scope.extend(OpenResponse.open(`${url}/open`), inner)
      yield* stream.says(/first/)
      const refused = yield* OpenResponse.open(`${url}/open`)
      expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "5"])
      yield* Scope.close(inner, Exit.void)
      yield* eventually(
        Effect.scoped(Effect.map(OpenResponse.open(`${url}/open`), ({ status }) => status)),
        (status) => status === 200
      )
    })
  )

  it.scopedLive("keeps less than 1 MiB for a reader that stalls", () =>
    Effect.gen(function* () {
      const { port } = yield* serve({})
      const socket = yield* reading(port, "/watched")
      socket.pause()
      yield* eventually(
        Effect.sync(() => sent.socket?.writableNeedDrain ?? false),
        (needsDrain) => needsDrain
      )
      const before = sent.events
      // What does not wait for the reader would go on in each of them.
      yield* Effect.replicateEffect(turn, 100)
      expect(sent.events - before).toBeLessThan(4)
      expect(sent.mostWaiting).toBeGreaterThan(0)
      expect(sent.mostWaiting).toBeLessThan(1024 ** 2)
    })
  )

  it.scopedLive("answers its liveness probe while hundreds of them close", () =>
    Effect.gen(function* () {
      const { port } = yield* serve({ probe: "/livez" })
      const opening = Array.from({ length: many }, () => reading(port, "/counting"))
      const sockets = yield* Effect.all(opening, { concurrency: 25 })
      const probe = yield* reading(port, "/livez")
      for (const socket of sockets) socket.destroy()
      const answer = Effect.async<string>((resume) => {
        probe.once("data", (bytes) => resume(Effect.succeed(String(bytes))))
        probe.write("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
      })
      expect(yield* answer).toMatch(/^HTTP\/1\.1 200 [^]*"ok"/)
      // Not after them all.
      expect(ended.count).toBeLessThan(many / 2)
      yield* eventually(
        Effect.sync(() => ended.count),
        (count) => count === many
      )
    })
  )

  it.scopedLive("cuts a reader that stalls", () =>
    Effect.gen(function* () {
      const { port, url } = yield* serve({ streams: 1, writeTimeout: "200 millis" })
      yield* Effect.acquireRelease(
        Effect.async<ReturnType<typeof connect>>((resume) => {
          const socket = connect(port, "127.0.0.1", () => {
            socket.write("GET /flood HTTP/1.1\r\nHost: localhost\r\n\r\n")
          })
          socket.once("data", () => resume(Effect.succeed(socket.pause())))
          socket.on("error", () => undefined)
        }),
        (socket) => Effect.sync(() => socket.destroy())
      )
      const status = Effect.scoped(Effect.map(OpenResponse.open(`${url}/open`), (response) => response.status))
      expect(yield* status).toBe(503)
      yield* eventually(status, (given) => given === 200)
    })
  )
})
