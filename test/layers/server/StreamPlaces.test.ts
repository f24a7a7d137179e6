// How many open streams an account and an address may have, over real sockets: event streams and WebSockets together.
import { HttpLayerRouter } from "@effect/platform"
import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Exit, FastCheck, Scope, Stream } from "effect"
import * as StreamPlaces from "../../../layers/server/internal/StreamPlaces.ts"
import * as ServerSentEvents from "../../../routes/session/ServerSentEvents.ts"
import * as WebSockets from "../../../routes/session/WebSockets.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import { parseTrusted } from "../../../src/session/internal/ForwardedFor.ts"
import { eventually } from "../../support/Eventually.ts"
import * as OpenResponse from "../../support/OpenResponse.ts"
import * as RequestStates from "../../support/RequestStates.ts"
import * as Serving from "../../support/Serving.ts"
import * as WebSocketClient from "../../support/WebSocketClient.ts"

const events = ServerSentEvents.response(Stream.concat(Stream.make({ data: "first" }), Stream.never))
const echo = WebSockets.response((socket) => socket.runRaw(() => undefined))

const routes = [
  HttpLayerRouter.route("GET", "/events", events),
  WebSockets.route()(HttpLayerRouter.route("GET", "/echo", echo)),
  HttpLayerRouter.route("GET", "/few", ServerSentEvents.response(Stream.never, { perClient: 1 }))
]

const trusted = parseTrusted("127.0.0.1") ?? []

layer(Serving.layer(routes, { trusted }), { excludeTestServices: true })("The streams of one address", (it) => {
  const openEvents = (address: string, path = "events") =>
    Effect.flatMap(ServerAddress, ({ url }) => OpenResponse.open(`${url}/${path}`, { "x-forwarded-for": address }))
  const openSocket = (address: string) =>
    Effect.flatMap(ServerAddress, ({ url }) => WebSocketClient.open(`${url}/echo`, { "x-forwarded-for": address }))

  it.scoped("are 50, of events and of WebSockets together, and those of another address as many", () =>
    Effect.gen(function* () {
      const one = "203.0.113.1"
      const inner = yield* Scope.make()
      const first = yield* Scope.extend(openEvents(one), inner)
      yield* first.says(/first/)
      const statuses = yield* Effect.forEach(
        Array.from({ length: 49 }, (_, at) => at),
        (at): Effect.Effect<{ readonly status: number }, never, ServerAddress | Scope.Scope> =>
          at % 2 === 0 ? openEvents(one) : openSocket(one),
        { concurrency: 8 }
      )
      expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200, 101]))
      const refused = yield* openEvents(one)
      expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "5"])
      expect((yield* openSocket(one)).status).toBe(429)
      expect((yield* openEvents("203.0.113.2")).status).toBe(200)
      expect((yield* openSocket("203.0.113.2")).status).toBe(101)
      yield* Scope.close(inner, Exit.void)
      yield* eventually(Effect.scoped(Effect.map(openSocket(one), ({ status }) => status)), (status) => status === 101)
    })
  )

  it.scoped("are as many as the response says", () =>
    Effect.gen(function* () {
      expect((yield* openEvents("203.0.113.3", "few")).status).toBe(200)
      expect((yield* openEvents("203.0.113.3", "few")).status).toBe(429)
    })
  )
})

describe("places", () => {
  const people = [undefined, "ann", "bob"] as const
  const limits = { perAccount: 3, perClient: 5 }

  it("are never more than the limits, and all free again when all have ended", () => {
    const command = FastCheck.record({
      account: FastCheck.constantFrom(...people),
      address: FastCheck.constantFrom("192.0.2.1", "192.0.2.2", "2001:db8::1", "2001:db8::2"),
      ends: FastCheck.boolean(),
      at: FastCheck.nat(20)
    })
    FastCheck.assert(
      FastCheck.property(FastCheck.array(command, { maxLength: 60 }), (commands) => {
        const { take } = StreamPlaces.make(8)
        let open: Array<{ account: string | undefined; address: string; release: () => void }> = []
        const bucket = (address: string) => address.replace(/^2001:db8::.$/, "2001:db8::/64")
        for (const { account, address, at, ends } of commands) {
          if (ends) {
            const ended = open[at % Math.max(1, open.length)]
            ended?.release()
            open = open.filter((one) => one !== ended)
            continue
          }
          const own = open.filter((one) => account !== undefined && one.account === account).length
          const near = open.filter((one) => bucket(one.address) === bucket(address)).length
          const taken = take(RequestStates.requestStateOf({ account, clientAddress: address }), limits)
          const expected = own >= 3 || near >= 5 ? "StreamLimitReached" : open.length >= 8 ? "TooManyStreams" : "taken"
          expect(typeof taken === "function" ? "taken" : taken._tag).toBe(expected)
          if (typeof taken === "function") open.push({ account, address, release: taken })
        }
      })
    )
  })
})
