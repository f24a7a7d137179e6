import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as DiskCheck from "../../../layers/observability/DiskCheck.ts"
import * as HealthChecks from "../../../src/observability/HealthChecks.ts"
import * as Demo from "../../support/Demo.ts"

const statusOf = (options: Parameters<typeof DiskCheck.layer>[0]) =>
  Effect.flatMap(HealthChecks.HealthChecks, ({ run }) => run).pipe(
    Effect.map((results) => results.map(({ name, status }) => `${name} ${status}`)),
    Effect.provide(DiskCheck.layer(options).pipe(Layer.provideMerge(HealthChecks.layer)))
  )

it.scopedLive("is ready while enough of the disk is free, and not on a folder that is gone", () =>
  Effect.gen(function* () {
    const path = yield* Demo.folder
    expect(yield* statusOf({ path, minFree: 1 })).toEqual(["disk ok"])
    expect(yield* statusOf({ path, minFree: Number.MAX_SAFE_INTEGER })).toEqual(["disk failed"])
    expect(yield* statusOf({ path: `${path}/gone` })).toEqual(["disk failed"])
  })
)
