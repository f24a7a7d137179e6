// Host, port, workers and storage folder, read once at startup.

/** The settings of the server. */
export interface Settings {
  readonly host: string
  readonly port: number
  readonly workers: number
  /** Mails, logs, metrics snapshots and the default database. */
  readonly storage: string
  /** The path of the native probe; empty when there is none. */
  readonly healthPath: string
  /** Seconds between the signal to stop, from which on `/readyz` fails, and the end of accepting requests. */
  readonly shutdownDelay: number
}
