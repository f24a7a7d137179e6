// A PostgreSQL that is frozen, as a machine that swaps or a disk that hangs freezes it: connections stay open and silent.
import { expect, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as PostgresDatabase from "../../../layers/database/internal/PostgresDatabase.ts"
import * as SqlReadiness from "../../../layers/database/SqlReadiness.ts"
import * as Health from "../../../routes/observability/Health.ts"
import * as HealthChecks from "../../../src/observability/HealthChecks.ts"
import { ServerAddress } from "../../../src/server/ServerAddress.ts"
import * as TestClient from "../../../testing/TestClient.ts"
import * as PostgresServer from "../../support/PostgresServer.ts"
import * as Serving from "../../support/Serving.ts"

const postgres = Effect.acquireRelease(
  Effect.promise(() => PostgresServer.start()),
  ({ stop }) => Effect.promise(stop)
)

const childrenOf = (pid: number): ReadonlyArray<number> =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(/\s+/).filter(Boolean).map(Number)

const signal = (folder: string, name: "SIGSTOP" | "SIGCONT") =>
  Effect.sync(() => {
    const pid = Number.parseInt(readFileSync(join(folder, "data", "postmaster.pid"), "utf8"))
    for (const one of [pid, ...childrenOf(pid)]) process.kill(one, name)
  })

it.scopedLive(
  "GET /readyz responds within its two seconds when PostgreSQL is frozen, and is ready again afterwards",
  () =>
    Effect.gen(function* () {
      const { address, folder } = yield* postgres
      const served = Serving.layer(Health.ready).pipe(
        Layer.provide(SqlReadiness.layer),
        Layer.provide(HealthChecks.layer),
        Layer.provide(PostgresDatabase.layer(Redacted.make(`${address}/postgres`)))
      )
      yield* Effect.gen(function* () {
        const { url } = yield* ServerAddress
        const ready = Effect.map(TestClient.make(url).get("/readyz"), ({ status }) => status)
        expect(yield* ready).toBe(200)
        yield* Effect.acquireRelease(signal(folder, "SIGSTOP"), () => signal(folder, "SIGCONT"))
        // The pool waits five seconds for a connection: what takes as long has waited for the server.
        const late = Effect.delay(Effect.succeed("late"), "4 seconds")
        for (let round = 0; round < 3; round++) expect(yield* Effect.raceFirst(ready, late)).toBe(503)
        yield* signal(folder, "SIGCONT")
        expect(yield* Effect.repeat(ready, { until: (status) => status === 200 })).toBe(200)
      }).pipe(Effect.provide(served))
    })
)
