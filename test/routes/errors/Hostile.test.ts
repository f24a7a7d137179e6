// Values that fight back when they are looked at, thrown in routes of a real server: every one is a 500, and it serves on.
// Where Effect itself catches what is thrown, it has to be a value that can be inspected.
import { HttpLayerRouter, HttpServerResponse } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, FastCheck, Layer, Logger } from "effect"
import * as CounterReporter from "../../../layers/observability/CounterReporter.ts"
import * as WorkerRecords from "../../../layers/errors/WorkerRecords.ts"
import * as LogReporter from "../../../layers/errors/LogReporter.ts"
import * as FileSources from "../../../layers/errors/FileSources.ts"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import * as WebServer from "../../../layers/server/WebServer.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as ConsoleReport from "../../../src/errors/internal/ConsoleReport.ts"
import * as DebugPage from "../../../src/errors/internal/debug/DebugPage.ts"
import * as RecordLine from "../../../src/errors/internal/RecordLine.ts"
import * as ErrorBody from "../../../src/errors/internal/ErrorBody.ts"
import { Reporters } from "../../../src/errors/Reporters.ts"
import * as CauseThrowables from "../../../src/errors/internal/CauseThrowables.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as Demo from "../../support/Demo.ts"
import * as Serving from "../../support/Serving.ts"
import { unchecked } from "../../support/Unchecked.ts"

const angry = (): never => {
  throw new Error("do not look")
}

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable(new Error("gone"), {})
  revoke()
  return proxy
}

const deep = (): Error => {
  let error = new Error("bottom")
  for (let index = 0; index < 100_000; index++) error = new Error("above", { cause: error })
  return error
}

const cyclic = (): Error => {
  const error: Error & { self?: unknown } = new Error("round")
  error.self = error
  error.cause = error
  return error
}

const keys = ["name", "message", "stack", "cause", "errors", "_tag", "constructor", "status", "issue"] as const

interface Warped {
  readonly base: string
  readonly bad: Readonly<Record<string, string>>
}

const bare = (): object => Object.create(null)

/** An error some of whose properties throw, change with each read, or are no text. */
const warp = ({ bad, base }: Warped): object => {
  const value = base === "error" ? new Error("x") : base === "array" ? [] : base === "bare" ? bare() : {}
  let reads = 0
  const getters: Record<string, () => unknown> = {
    throws: angry,
    revoked,
    fresh: () => ({ message: `read ${reads++}`, cause: new Error(`fresh ${reads}`) }),
    symbol: () => Symbol("s"),
    huge: () => "x".repeat(1_000_000),
    poisoned: () => ({ toString: angry, [Symbol.toPrimitive]: angry })
  }
  // Before the others: the engine makes a stack from the name and the message when it is first touched.
  const own = Object.entries(bad).sort(([key]) => (key === "stack" ? -1 : 1))
  for (const [key, kind] of own) {
    Object.defineProperty(value, key, { get: getters[kind] ?? angry, configurable: true, enumerable: true })
  }
  return base === "frozen" ? Object.freeze(value) : value
}

const warped = FastCheck.record({
  base: FastCheck.constantFrom("error", "object", "bare", "frozen", "array"),
  bad: FastCheck.dictionary(
    FastCheck.constantFrom(...keys),
    FastCheck.constantFrom("throws", "revoked", "fresh", "symbol", "huge", "poisoned"),
    { noNullPrototype: true }
  )
})

const bottomless = deep()
const walls = { get: angry, has: angry, ownKeys: angry, getPrototypeOf: angry, getOwnPropertyDescriptor: angry }

// Made by functions: the library that generates them looks at values too.
const inspectable: FastCheck.Arbitrary<() => unknown> = FastCheck.oneof(
  warped.map((given) => () => warp(given)),
  FastCheck.constantFrom<Array<() => unknown>>(
    () => bottomless,
    cyclic,
    () => ({ toString: angry, valueOf: angry, [Symbol.toPrimitive]: angry }),
    () => Object.freeze(new Error("frozen")),
    () => new Error("m".repeat(5_000_000)),
    () => Cause.die(revoked()),
    () => undefined,
    () => Symbol("s")
  ),
  FastCheck.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true }).map((value) => () => value)
)

const hostile = FastCheck.oneof(
  inspectable,
  FastCheck.constantFrom<Array<() => unknown>>(revoked, () => new Proxy({}, walls))
)

const sources = { root: "", locate: <A>(place: A) => place, read: () => undefined }

describe("Hostile values", () => {
  it("are shown on the page, in JSON, in the log and on the console", () => {
    FastCheck.assert(
      FastCheck.property(hostile, (make) => {
        const value = make()
        for (const throwable of [CauseThrowables.from(value), ...CauseThrowables.all(Cause.fail(value))]) {
          expect(DebugPage.render({ throwable }, { sources, nonce: "n" }).length).toBeLessThan(DebugPage.maxBytes)
          expect(JSON.stringify(ErrorBody.details(throwable, sources)).length).toBeGreaterThan(0)
          expect(RecordLine.encode(RecordLine.maker(sources).make(throwable, {}, 0))).toMatch(/\n$/)
          expect(ConsoleReport.render(throwable, { sources })).toMatch(/\n$/)
        }
      }),
      { numRuns: 100 }
    )
  }, 240_000)

  it.scopedLive.each(["production", "development"] as const)(
    "are a 500 of the route that throws them, and the server serves on, in %s",
    (environment) =>
      Effect.gen(function* () {
        let next: unknown = undefined
        const raise = (): never => {
          throw next
        }
        const response = HttpServerResponse.text("done")
        const routes = [
          HttpLayerRouter.route("GET", "/sync", Effect.sync(raise)),
          HttpLayerRouter.route("GET", "/later", Effect.zipRight(Effect.sleep(1), Effect.sync(raise))),
          HttpLayerRouter.route(
            "GET",
            "/gen",
            Effect.gen(function* () {
              yield* Effect.yieldNow()
              return raise()
            })
          ),
          HttpLayerRouter.route(
            "GET",
            "/try",
            Effect.as(
              Effect.tryPromise(() => Promise.reject(next)),
              response
            )
          ),
          HttpLayerRouter.route(
            "GET",
            "/cause",
            Effect.suspend(() => Effect.failCause(Cause.die(next)))
          ),
          HttpLayerRouter.route("GET", "/fine", response)
        ]
        const path = `${yield* Demo.folder}/exceptions.log`
        const context = yield* Layer.build(
          WebServer.layer(Pipeline.app(Pipeline.stateless(unchecked(routes))), { host: "127.0.0.1", port: 0 }).pipe(
            Layer.provideMerge(
              Layer.merge(Layer.provide(LogReporter.layer({ path }), WorkerRecords.layer), CounterReporter.layer)
            ),
            Layer.provideMerge(
              Layer.mergeAll(
                Serving.support({ environment }),
                WorkerReporters.layer,
                WorkerObservability.layerWith({ collectors: false }),
                FileSources.layer,
                Logger.remove(Logger.defaultLogger)
              )
            )
          )
        )
        const { url } = yield* Effect.provide(ServerAddress, context)
        const { settle } = yield* Effect.provide(Reporters, context)
        const status = (path: string) => fetch(url + path).then(async (reply) => (await reply.text(), reply.status))
        yield* Effect.promise(() =>
          FastCheck.assert(
            FastCheck.asyncProperty(hostile, inspectable, async (make, makeInspectable) => {
              for (const path of ["/sync", "/later", "/gen", "/try", "/cause"]) {
                next = path === "/cause" ? make() : makeInspectable()
                expect([path, await status(path)]).toEqual([path, 500])
              }
              expect(await status("/fine")).toBe(200)
            }),
            { numRuns: 40 }
          )
        )
        yield* settle
      }),
    240_000
  )
})
