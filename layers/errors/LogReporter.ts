// Writes the records of exceptions to a file, one line each.
import { Effect, Layer } from "effect"
import { relative } from "node:path"
import { Environment } from "../../src/config/Environment.ts"
import { type ExceptionRecord, ExceptionRecords } from "../../src/errors/ExceptionRecords.ts"
import * as RecordLine from "../../src/errors/internal/RecordLine.ts"
import * as RotatedFile from "./internal/RotatedFile.ts"

/** The file and its rotation. */
export interface Options {
  readonly path: string
  /** Bytes after which the file is rotated. Default: 5 MiB. */
  readonly size?: number
  /** How many rotated files are kept. Default: 5. */
  readonly keep?: number
}

const largestWrite = 256 * 1024

const make = ({ keep = 5, path, size = 5 * 1024 * 1024 }: Options, isDevelopment: boolean) =>
  Effect.gen(function* () {
    const { add } = yield* ExceptionRecords
    let isFailing = false

    // A full disk or a folder without rights must not hide an exception: the log of the program has it then.
    const logInstead = Effect.fnUntraced(function* (records: ReadonlyArray<ExceptionRecord>, error: unknown) {
      if (!isFailing) yield* Effect.logError("The log of exceptions cannot be written; they are logged here", error)
      isFailing = true
      yield* Effect.forEach(records, logged, { discard: true })
    })

    const write = (records: ReadonlyArray<ExceptionRecord>, text: string) =>
      Effect.try(() => (isFailing ? RotatedFile.resume : RotatedFile.append)({ path, size, keep }, text)).pipe(
        Effect.map(() => void (isFailing = false)),
        Effect.catchTag("UnknownException", ({ error }) => logInstead(records, error))
      )

    // The file is set aside between two writes.
    const most = Math.min(size, largestWrite)
    yield* add(
      Effect.fnUntraced(function* (records) {
        let text = ""
        let first = 0
        for (const [index, record] of records.entries()) {
          text += RecordLine.encode(record)
          if (text.length < most && index < records.length - 1) continue
          yield* write(records.slice(first, index + 1), text)
          text = ""
          first = index + 1
        }
        if (isDevelopment) yield* Effect.forEach(records, printed, { discard: true })
      })
    )
  })

const logged = ({ class: name, file, id, line, message, method, peer, uri }: ExceptionRecord) =>
  Effect.annotateLogs(Effect.logError(`${name}: ${message}`), { file, line, method, uri, peer, id })

// Whoever develops reads a terminal, where the line of the request says no more than its status. The report of a console
// program is there already.
const printed = ({ class: name, file, line, message, method, uri }: ExceptionRecord): Effect.Effect<void> => {
  if (method === undefined) return Effect.void
  const place = file === "" ? "" : ` (${relative(process.cwd(), file)}:${line})`
  return Effect.logError(`${method} ${uri} failed: ${name}: ${message}${place}`)
}

/**
 * The log of exceptions; disabled in the `test` environment. In development those of requests are in the program's log as well.
 *
 * @example
 * ```ts
 * import { Effect, Layer } from "effect"
 * import { Environment } from "effect-framework/config"
 * import { FileSources, LogReporter, RunMain, WorkerRecords, WorkerReporters } from "effect-framework/layers/errors"
 *
 * const log = LogReporter.layer({ path: "storage/exceptions.log", keep: 10 }).pipe(
 *   Layer.provide(WorkerRecords.layer),
 *   Layer.provideMerge(WorkerReporters.layer),
 *   Layer.provide([FileSources.layer, Environment.layer])
 * )
 *
 * // The failure of this job is a line of the file.
 * export const program = Effect.provide(RunMain.reported(Effect.fail(new Error("The kettle is empty"))), log)
 * ```
 */
export const layer = (options: Options): Layer.Layer<never, never, ExceptionRecords | Environment> =>
  Layer.scopedDiscard(
    Effect.flatMap(Environment, (environment) =>
      environment === "test" ? Effect.void : make(options, environment === "development")
    )
  )
