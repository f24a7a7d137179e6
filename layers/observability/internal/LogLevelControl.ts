// The level from which a program logs: set by `LOG_LEVEL`, and changed while it runs by a file in its storage folder.
import { Clock, Effect, Layer, Logger, LogLevel, Option, Schedule, Schema } from "effect"
import { readFileSync } from "node:fs"
import * as Setting from "../../../src/config/internal/Setting.ts"
import { StartupError } from "../../../src/config/StartupError.ts"
import * as SnapshotFile from "./SnapshotFile.ts"

const levels = {
  trace: LogLevel.Trace,
  debug: LogLevel.Debug,
  info: LogLevel.Info,
  warning: LogLevel.Warning,
  error: LogLevel.Error,
  fatal: LogLevel.Fatal,
  none: LogLevel.None
} as const

/** The name of a level. */
export type Level = keyof typeof levels

/** The names, from the most lines to none. */
export const names = [
  "trace",
  "debug",
  "info",
  "warning",
  "error",
  "fatal",
  "none"
] as const satisfies ReadonlyArray<Level>

/** The level with which a process starts. */
export const config = Setting.choice("LOG_LEVEL", "info", names)

const Change = Schema.parseJson(Schema.Struct({ level: Schema.Literal(...names), at: Schema.Finite }))
const decode = Schema.decodeUnknownOption(Change)

const interval = "1 second"

/** Changes the level of the processes that follow this file. */
export const change = (path: string, level: Level): Effect.Effect<void, StartupError> =>
  Effect.flatMap(Clock.currentTimeMillis, (at) =>
    Effect.try({
      try: () => SnapshotFile.write(path, `${JSON.stringify({ level, at })}\n`),
      catch: (cause) =>
        new StartupError({
          reason: `The log level could not be written: ${cause instanceof Error ? cause.message : String(cause)}`,
          entry: "the-log-level"
        })
    })
  )

// A file that is missing or written by something else changes nothing.
const read = (path: string) => {
  try {
    return decode(readFileSync(path, "utf8"))
  } catch {
    return Option.none()
  }
}

/** Where changes are read, and the level until the first one. */
interface Options {
  readonly path: string
  readonly level: Level
}

/** The minimum level of everything that this layer is provided to. A change from before the start counts for nothing. */
export const layer = ({ level, path }: Options): Layer.Layer<never> =>
  Layer.unwrapScoped(
    Effect.gen(function* () {
      let current: LogLevel.LogLevel = levels[level]
      let latest = yield* Clock.currentTimeMillis
      // Fibers keep the level with which they were started. This one reads as whatever level is current.
      const live = new Proxy<LogLevel.LogLevel>(LogLevel.Info, { get: (_, key) => Reflect.get(current, key) })
      const follow = Effect.suspend(() => {
        const changed = Option.filter(read(path), ({ at }) => at > latest)
        if (Option.isNone(changed)) return Effect.void
        latest = changed.value.at
        current = levels[changed.value.level]
        // On the new level itself, so that it is shown.
        return Effect.logWithLevel(current, `The log level is ${changed.value.level} now`)
      }).pipe(Effect.repeat(Schedule.spaced(interval)))
      const minimum = Logger.minimumLogLevel(live)
      return Layer.provideMerge(Layer.scopedDiscard(Effect.forkScoped(follow)), minimum)
    })
  )
