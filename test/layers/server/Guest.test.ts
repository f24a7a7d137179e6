// Providing the layers changes nothing for the rest of the process: no prototype and no global while they are there, and no
// listener when they are gone.
import { FetchHttpClient } from "@effect/platform"
import * as Reactivity from "@effect/experimental/Reactivity"
import { SqlClient } from "@effect/sql"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { expect, it } from "@effect/vitest"
import Sqlite from "better-sqlite3"
import { ConfigProvider, Context, Deferred, Effect, Exit, Layer, Redacted, Schema, Scope } from "effect"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import * as Http from "node:http"
import * as Net from "node:net"
import { tmpdir } from "node:os"
import { dirname, join, normalize } from "node:path"
import { Client, Pool } from "pg"
import { entryPoints } from "../../../docs/tools/Exports.ts"
import * as SqlAccountHooks from "../../../layers/auth/SqlAccountHooks.ts"
import * as SqlProfile from "../../../layers/auth/SqlProfile.ts"
import * as JobsCheck from "../../../layers/jobs/JobsCheck.ts"
import * as JobWorker from "../../../layers/jobs/JobWorker.ts"
import * as SqlJobs from "../../../layers/jobs/SqlJobs.ts"
import * as QueuedMailer from "../../../layers/mail/QueuedMailer.ts"
import * as DiskCheck from "../../../layers/observability/DiskCheck.ts"
import * as HttpClientMetrics from "../../../layers/observability/HttpClientMetrics.ts"
import * as HttpClientTraceState from "../../../layers/observability/HttpClientTraceState.ts"
import * as WorkerObservability from "../../../layers/observability/WorkerObservability.ts"
import * as EntityCheck from "../../../layers/pagination/EntityCheck.ts"
import * as IndexCheck from "../../../layers/pagination/IndexCheck.ts"
import * as SqlRepository from "../../../layers/pagination/SqlRepository.ts"
import * as Profile from "../../../src/auth/Profile.ts"
import * as HealthChecks from "../../../src/observability/HealthChecks.ts"
import * as Column from "../../../src/pagination/Column.ts"
import * as Entity from "../../../src/pagination/Entity.ts"
import type * as Repository from "../../../src/pagination/Repository.ts"
import * as Selection from "../../../src/pagination/Selection.ts"
import { root } from "../../support/Demo.ts"
import * as WorkerRecords from "../../../layers/errors/WorkerRecords.ts"
import * as LogReporter from "../../../layers/errors/LogReporter.ts"
import * as RunMain from "../../../layers/errors/RunMain.ts"
import * as WorkerReporters from "../../../layers/errors/WorkerReporters.ts"
import * as AccessLog from "../../../layers/observability/AccessLog.ts"
import * as OtlpTelemetry from "../../../layers/observability/OtlpTelemetry.ts"
import * as ProgramLog from "../../../layers/observability/ProgramLog.ts"
import * as SignedCursors from "../../../layers/pagination/SignedCursors.ts"
import * as AppConfig from "../../../layers/server/AppConfig.ts"
import * as AppLayer from "../../../layers/server/AppLayer.ts"
import * as Mount from "../../../layers/server/Mount.ts"
import * as AuthRoutes from "../../../routes/auth/AuthRoutes.ts"
import * as Pipeline from "../../../routes/server/Pipeline.ts"
import * as Environment from "../../../src/config/Environment.ts"
import * as Sources from "../../../src/errors/Sources.ts"
import * as DefaultLayout from "../../../src/http/DefaultLayout.ts"
import * as Job from "../../../src/jobs/Job.ts"
import * as Jobs from "../../../src/jobs/Jobs.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as MemoryMailer from "../../../testing/MemoryMailer.ts"
import * as WorkCounter from "../../../testing/WorkCounter.ts"
import { postgres, sqlite } from "../../support/Databases.ts"
import { receiver } from "../../support/OtlpReceiver.ts"

const prototypes = (value: unknown): ReadonlyArray<object> => {
  const found: unknown = Object.getPrototypeOf(value)
  return typeof found === "object" && found !== null ? [found, ...prototypes(found)] : []
}

/** What the rest of the process stands on: the prototypes of Effect, of Node.js and of the drivers, and the globals. */
const ground = Effect.gen(function* () {
  const own = yield* SqliteClient.make({ filename: ":memory:" })
  const fiber = yield* Effect.withFiberRuntime((running) => Effect.succeed(running))
  const values = [own`SELECT 1`, fiber, Context.empty(), yield* Scope.make(), Effect.void, Layer.empty, Schema.String]
  const drivers = [Sqlite, Pool, Client, Http.Server, Http.IncomingMessage, Http.ServerResponse, Net.Socket]
  const builtIn = [Object, Function, Array, Promise, Error, Map, String, RegExp]
  return [
    ...values.flatMap(prototypes),
    ...[...drivers, ...builtIn].map(({ prototype }) => prototype),
    globalThis,
    console,
    Error
  ]
}).pipe(Effect.scoped, Effect.provide(Reactivity.layer))

// Node.js defines some globals anew when they are first read.
const snapshot = (objects: ReadonlyArray<object>) =>
  objects.map((object) => {
    for (const name of object === globalThis ? Object.keys(Object.getOwnPropertyDescriptors(object)) : []) {
      void Reflect.get(object, name)
    }
    return Object.getOwnPropertyDescriptors(object)
  })

/** Names of the properties that differ, which a message can print. */
const changes = (objects: ReadonlyArray<object>, before: ReturnType<typeof snapshot>): ReadonlyArray<string> =>
  snapshot(objects).flatMap((now, at) => {
    const then = before[at] ?? {}
    return [...new Set([...Reflect.ownKeys(then), ...Reflect.ownKeys(now)])].flatMap((key) => {
      const [old, current] = [Reflect.get(then, key), Reflect.get(now, key)]
      const isSame = ["value", "get", "set"].every((part) => Object.is(old?.[part], current?.[part]))
      return isSame ? [] : [`${objects[at]?.constructor.name ?? at}.${String(key)}`]
    })
  })

const listeners = () =>
  [process, process.stdout, process.stderr].map((emitter) =>
    emitter.eventNames().map((name) => `${String(name)} ${emitter.listenerCount(name)}`)
  )

/** Builds the layer, uses it and closes its scope. */
const visit = <A, E, B = void, E2 = never>(
  layer: Layer.Layer<A, E>,
  use: Effect.Effect<B, E2, A | Scope.Scope> = Effect.void as Effect.Effect<B>
) =>
  Effect.gen(function* () {
    const objects = yield* ground
    const [before, heard] = [snapshot(objects), listeners()]
    const scope = yield* Scope.make()
    const built = yield* Layer.buildWithScope(layer, scope)
    yield* Effect.provide(use, built)
    expect(changes(objects, before)).toEqual([])
    yield* Scope.close(scope, Exit.void)
    expect(changes(objects, before)).toEqual([])
    expect(listeners()).toEqual(heard)
  })

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "guest-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
)

const variables = (all: Readonly<Record<string, string>>) => ConfigProvider.fromMap(new Map(Object.entries(all)))

it.scopedLive("a program of all layers, with a collector of telemetry", () =>
  Effect.gen(function* () {
    const storage = yield* folder
    const provider = variables({
      PORT: "0",
      STORAGE_DIR: storage,
      FRAMEWORK_ENVIRONMENT: "development",
      OTEL_EXPORTER_OTLP_ENDPOINT: (yield* receiver).url
    })
    const settings = yield* Effect.withConfigProvider(AppConfig.config("guest"), provider)
    const Tea = Job.make("tea", { payload: Schema.Struct({}) })
    const done = yield* Deferred.make<void>()
    const layer = AppLayer.server(Pipeline.app(Pipeline.pages(AuthRoutes.routes)), settings).pipe(
      Layer.provideMerge(Layer.mergeAll(AccessLog.layerWith({ write: () => {} }), ProgramLog.layer)),
      Layer.provideMerge(DefaultLayout.layer({ name: "Guest" })),
      Layer.provideMerge(
        Layer.provideMerge(
          JobWorker.layer(),
          Job.toLayer(Tea, () => Deferred.succeed(done, undefined))
        )
      ),
      Layer.provideMerge(AppLayer.layer(settings))
    )
    const open = Effect.flatMap(ServerAddress, ({ url }) => Effect.promise(() => fetch(`${url}/login`)))
    yield* visit(
      layer,
      Effect.gen(function* () {
        expect((yield* open).status).toBe(200)
        yield* Jobs.enqueue(Tea, {})
        yield* Deferred.await(done)
      })
    )
  })
)

it.scopedLive("the layers of another server", () =>
  Effect.gen(function* () {
    const settings = Layer.setConfigProvider(variables({ STORAGE_DIR: yield* folder }))
    const mailer = Layer.provideMerge(MemoryMailer.layer, WorkCounter.layer)
    const program = Layer.mergeAll(sqlite.layer, mailer, DefaultLayout.layer({ name: "Guest" }))
    yield* visit(Mount.layer().pipe(Layer.provideMerge(program), Layer.provide(settings)))
  })
)

it.scopedLive.each([sqlite, postgres])("the database and the cursors of lists on $name", ({ layer }) =>
  visit(Layer.provideMerge(SignedCursors.layer([Redacted.make("a key of thirty-two bytes or more")]), layer))
)

it.scopedLive("what a program adds: hooks, a profile, repositories with their checks, health checks, a client", () => {
  const Article = Entity.make("users", { key: "id", columns: { id: Column.text, email: Column.text } })
  class Articles extends Context.Tag("test/Articles")<Articles, Repository.For<typeof Article>>() {}
  const Nickname = Profile.make({
    signUp: Schema.Struct({ nickname: Schema.String }),
    fields: { nickname: { label: "Nickname" } },
    name: ({ nickname }) => nickname
  })
  const onDatabase = Layer.mergeAll(
    SqlAccountHooks.layer({ deletion: { inTransaction: () => Effect.void } }),
    SqlProfile.layer(Nickname),
    EntityCheck.layer(Article),
    IndexCheck.layer(Selection.from(Article).order("Asc", "email")),
    SqlRepository.layer(Articles, Article),
    Layer.provideMerge(Layer.merge(JobsCheck.layer(), QueuedMailer.layer), SqlJobs.layer)
  )
  const clients = Layer.provideMerge(HttpClientTraceState.layer, HttpClientMetrics.layer)
  const column = Effect.flatMap(SqlClient.SqlClient, (sql) => sql`ALTER TABLE users ADD COLUMN nickname TEXT`)
  const database = Layer.provideMerge(Layer.effectDiscard(column), sqlite.layer)
  return visit(
    Layer.mergeAll(onDatabase, clients, DiskCheck.layer({ path: tmpdir() })).pipe(
      Layer.provideMerge(Layer.mergeAll(database, HealthChecks.layer, FetchHttpClient.layer)),
      Layer.provideMerge(WorkerObservability.layer)
    )
  )
})

it("leaves out no public layer", () => {
  const reached = new Set<string>()
  const follow = (path: string): void => {
    if (reached.has(path) || !existsSync(join(root, path))) return
    reached.add(path)
    for (const [, target = ""] of readFileSync(join(root, path), "utf8").matchAll(
      /(?:from|import\() ?"(\.[^"]+\.ts)"/g
    )) {
      follow(normalize(join(dirname(path), target)))
    }
  }
  follow("test/layers/server/Guest.test.ts")
  const modules = entryPoints(root).flatMap(([, folder]) =>
    Array.from(readFileSync(join(root, folder, "index.ts"), "utf8").matchAll(/ from "\.\/(.*)"/g), ([, name = ""]) =>
      join(folder, name)
    )
  )
  const layers = modules.filter((path) => path.startsWith("layers/"))
  const providing = layers.filter((path) => /^export const layer/m.test(readFileSync(join(root, path), "utf8")))
  expect(providing.length).toBeGreaterThan(30)
  expect(providing.filter((path) => !reached.has(path))).toEqual([])
})

it.scopedLive("reporters and what reports uncaught errors", () =>
  Effect.gen(function* () {
    const path = join(yield* folder, "exceptions.log")
    const reporters = Layer.mergeAll(WorkerReporters.layer, Sources.layerNone, Environment.layerWith("test"))
    const log = Layer.provide(LogReporter.layer({ path }), WorkerRecords.layer)
    yield* visit(Layer.merge(RunMain.layer(), log).pipe(Layer.provideMerge(reporters)))
  })
)

it.scopedLive("telemetry alone", () =>
  Effect.gen(function* () {
    const provider = variables({ OTEL_EXPORTER_OTLP_ENDPOINT: (yield* receiver).url })
    yield* visit(Layer.provide(OtlpTelemetry.layerConfig, Layer.setConfigProvider(provider)))
  })
)
