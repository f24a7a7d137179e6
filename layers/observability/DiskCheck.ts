// Not ready when the disk is almost full: a database, a log and uploads would fail next.
import { Effect, type Layer } from "effect"
import { statfs } from "node:fs/promises"
import * as HealthChecks from "../../src/observability/HealthChecks.ts"

/** The folder whose disk is watched, and how much of it must be free. */
export interface Options {
  readonly path: string
  /** Bytes; 64 MiB. */
  readonly minFree?: number
}

const defaultMinFree = 64 * 1024 * 1024

/**
 * Adds the check `disk`.
 *
 * @example
 * ```ts
 * import { App } from "effect-framework"
 * import { DiskCheck } from "effect-framework/layers/observability"
 *
 * // `/readyz` answers 503 as soon as less than a gigabyte is free.
 * App.run({ name: "Teapots", pages: [], services: DiskCheck.layer({ path: "storage", minFree: 1_000_000_000 }) })
 * ```
 */
export const layer = ({
  minFree = defaultMinFree,
  path
}: Options): Layer.Layer<never, never, HealthChecks.HealthChecks> =>
  HealthChecks.add({
    name: "disk",
    check: Effect.flatMap(
      Effect.tryPromise(() => statfs(path)),
      ({ bavail, bsize }) =>
        bavail * bsize >= minFree ? Effect.void : Effect.fail(`${bavail * bsize} bytes are free, ${minFree} are needed`)
    )
  })
