// Reads the host, the port, the number of workers and the storage folder from the environment.
import { Config, ConfigError, Either } from "effect"
import * as Setting from "./Setting.ts"

/** Host, port, workers and storage folder of a program. */
export interface ServerConfig {
  readonly host: string
  readonly port: number
  readonly workers: number
  /** Mails, logs, metrics snapshots and the default database. */
  readonly storage: string
  /** The path of the native probe; empty when there is none. */
  readonly healthPath: string
  /** Whether `/health`, `/readyz` and `/metrics` are in the access log and in traces. */
  readonly recordProbes: boolean
  /** Seconds between the signal to stop, from which on `/readyz` fails, and the end of accepting requests. */
  readonly shutdownDelay: number
}

/** The folder for everything that the program stores in files. */
export const storage: Config.Config<string> = Setting.text("STORAGE_DIR", "storage")

// An empty value disables the probe.
const healthPath = (fallback: string): Config.Config<string> =>
  Config.string("HEALTH_PATH").pipe(
    Config.withDefault(fallback),
    Config.map((text) => text.trim()),
    Config.mapOrFail((text) =>
      /^(?:\/[^\s?#]*)?$/.test(text)
        ? Either.right(text)
        : Either.left(
            ConfigError.InvalidData(
              ["HEALTH_PATH"],
              `HEALTH_PATH is ${JSON.stringify(text.slice(0, 200))}, expected a path such as /livez, or an empty value`
            )
          )
    )
  )

export const port: Config.Config<number> = Setting.integer("PORT", 8087, { min: 0, max: 65_535 })

/** The settings of a program; a library has no probe unless it is asked for, the demo has one. */
export const config = (defaults: { readonly healthPath: string }): Config.Config<ServerConfig> =>
  Config.all({
    host: Setting.text("HOST", "127.0.0.1"),
    port,
    workers: Setting.integer("WORKERS", 1, { min: 1, max: 256 }),
    storage,
    healthPath: healthPath(defaults.healthPath),
    recordProbes: Setting.flag("RECORD_PROBES", true),
    shutdownDelay: Setting.integer("SHUTDOWN_DELAY", 0, { min: 0, max: 300 })
  })
