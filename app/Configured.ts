// Reads the settings of a program, and prepares its storage folder and its log.
import { Effect, identity, Layer } from "effect"
import * as LogLevelControl from "../layers/observability/internal/LogLevelControl.ts"
import * as ProgramLog from "../layers/observability/ProgramLog.ts"
import * as AppConfig from "../layers/server/AppConfig.ts"
import * as Storage from "../layers/server/internal/Storage.ts"
import type { Options } from "./Program.ts"
import * as Environment from "../src/config/Environment.ts"

/** Runs the work with the settings. A malformed setting fails before anything is opened. */
export const configured = <A, E, R>(
  { name, settings: change = identity, version }: Pick<Options<unknown>, "name" | "settings" | "version">,
  work: (settings: AppConfig.AppConfig) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const settings = change(yield* AppConfig.config(name, version === undefined ? {} : { version }))
    const { logLevel: level = "info", server } = settings
    const { storage } = server
    yield* Storage.prepare(storage)
    const log = LogLevelControl.layer({ path: Storage.logLevel(storage), level }).pipe(
      Layer.provideMerge(Layer.provide(ProgramLog.layer, Environment.layerWith(settings.environment)))
    )
    return yield* Effect.provide(work(settings), log)
  })
