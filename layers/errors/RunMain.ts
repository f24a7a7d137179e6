// The last error handler of a process: prints an uncaught error to standard error and exits with 255.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Duration, Effect, Exit, Layer, Runtime } from "effect"
import { writeSync } from "node:fs"
import { setFlagsFromString } from "node:v8"
import * as ConsoleReport from "../../src/errors/internal/ConsoleReport.ts"
import * as SafeText from "../../src/http/internal/text/SafeText.ts"
import { Reporters } from "../../src/errors/Reporters.ts"
import * as StartupLine from "../../src/config/internal/StartupLine.ts"
import { opened } from "../../src/errors/internal/debug/SourceExcerpt.ts"
import { Sources } from "../../src/errors/Sources.ts"
import * as CauseThrowables from "../../src/errors/internal/CauseThrowables.ts"
import * as FileSources from "./FileSources.ts"
import * as ReportedExit from "./internal/ReportedExit.ts"

/** How an uncaught error is printed, and whether the process exits. */
export interface Options {
  /** Whether the process exits; `false` only reports. Default: `true`. */
  readonly exit?: boolean
  readonly verbosity?: ConsoleReport.Verbosity
  /** One JSON line instead of the report or `line`, for a process whose log has such lines. Default: `false`. */
  readonly json?: boolean
  /** The folder whose files may be shown. */
  readonly root?: string
  /** One line instead of the report, for an error such as a port in use; an empty line prints nothing. Default: that of a `StartupError`. */
  readonly line?: (thrown: unknown) => string | undefined
}

// Writing to a full pipe fails with EAGAIN. The report must be complete, so the write is retried.
const writeTimeout = 5000

const write = (text: string): void => {
  const bytes = Buffer.from(text)
  const deadline = Date.now() + writeTimeout
  for (let at = 0; at < bytes.length && Date.now() < deadline;) {
    try {
      at += writeSync(2, bytes, at)
    } catch (error) {
      // The reader is gone.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

const print = (
  thrown: unknown,
  sources: () => Sources["Type"],
  { json = false, line = StartupLine.line, verbosity = 3 }: Options
): void => {
  try {
    const throwable = CauseThrowables.from(thrown)
    const text = line(throwable.value)
    if (text === "") return
    if (text !== undefined) {
      return write(json ? ConsoleReport.jsonLine(SafeText.line(text), new Date()) : `${SafeText.line(text)}\n`)
    }
    if (json) return write(ConsoleReport.json(throwable, { sources: sources() }, new Date()))
    const colours = ConsoleReport.wantsColours(process.env, process.stderr.isTTY === true)
    write(ConsoleReport.render(throwable, { sources: sources(), verbosity, colours }))
  } catch {
    // The thrown value cannot be inspected.
    write("\n  The thrown value cannot be displayed.\n\n")
  }
}

const sourcesOf = ({ root }: Options): Sources["Type"] =>
  Effect.runSync(Effect.provide(Sources, FileSources.layerWith({ wait: true, ...(root !== undefined && { root }) })))

// How long the report waits for the source map of the program.
const mapTimeout = Duration.seconds(1)

const events = ["uncaughtException", "unhandledRejection"] as const

const listen = (handle: (thrown: unknown) => void): (() => void) => {
  for (const event of events) process.on(event, handle)
  return () => {
    for (const event of events) process.off(event, handle)
  }
}

/**
 * Handles what is thrown outside of every fiber, or rejected without a handler, while the layer lives: it is printed and
 * reported, and the process exits when the reporters are done.
 *
 * @example
 * ```ts
 * import { Console, Effect, Layer } from "effect"
 * import { Reporters } from "effect-framework/errors"
 * import { FileSources, RunMain, WorkerReporters } from "effect-framework/layers/errors"
 *
 * const printing = Reporters.layer(({ message }) => Console.error(`reported: ${message}`))
 *
 * const reporting = Layer.merge(RunMain.layer(), printing).pipe(
 *   Layer.provideMerge(WorkerReporters.layer),
 *   Layer.provide(FileSources.layerWith({ root: "/srv/teapots" }))
 * )
 *
 * // What a timer or a listener throws is no failure of the program, and still reported.
 * const brewing = Effect.async<never>(() => void setTimeout(() => JSON.parse("{"), 1000))
 *
 * RunMain.run(Effect.provide(RunMain.reported(brewing), reporting))
 * ```
 */
export const layer = (options: Options = {}): Layer.Layer<never, never, Reporters | Sources> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const sources = yield* Sources
      const runtime = yield* Effect.runtime<never>()
      const handle = (thrown: unknown): void => {
        const printed = Effect.zipRight(
          Effect.timeoutOption(opened(sources, CauseThrowables.from(thrown)), mapTimeout),
          Effect.sync(() => print(thrown, () => sources, options))
        )
        const notified = Effect.zipRight(reporters.notify(Cause.die(thrown)), reporters.settle)
        const told = options.exit === false ? notified : Effect.zipRight(notified, ReportedExit.tell)
        const report = Effect.zipRight(printed, told)
        const end = Effect.sync(() => (options.exit === false ? undefined : process.exit(ReportedExit.status)))
        Runtime.runFork(runtime, Effect.ensuring(report, end))
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => listen(handle)),
        (stop) => Effect.sync(stop)
      )
    })
  )

/**
 * Reports the failure of a program before its layers close.
 *
 * @example
 * ```ts
 * import { Console, Effect, Layer } from "effect"
 * import { Reporters } from "effect-framework/errors"
 * import { RunMain, WorkerReporters } from "effect-framework/layers/errors"
 *
 * const printing = Reporters.layer((throwable) => Console.error(`reported: ${throwable.message}`))
 *
 * const job = Effect.fail(new Error("The kettle is empty"))
 *
 * export const program = Effect.provide(RunMain.reported(job), Layer.provideMerge(printing, WorkerReporters.layer))
 * ```
 */
export const reported = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Reporters> =>
  Effect.tapErrorCause(program, (cause) =>
    Effect.flatMap(Reporters, ({ notify, settle }) => Effect.zipRight(notify(cause), settle))
  )

// V8 allocates in the old generation where most objects of one start have lived on. The fibers of a start live as long as the
// program, and so 300 bytes of every later one went there at once and kept young objects alive: 346 bytes a request instead of
// 36 to the next full collection, and scavenges of 1.4 ms instead of 0.6.
const withoutPretenuring = "--no-allocation-site-pretenuring"

/** Runs a program: a failure, a defect, an uncaught exception or an unhandled rejection is printed and exits with 255. */
export const run = <A, E>(program: Effect.Effect<A, E>, options: Options = {}): void => {
  const handle = (thrown: unknown): void => {
    // The layer of the program handles it, and also reports it.
    if (process.listenerCount("uncaughtException") > 1) return
    print(thrown, () => sourcesOf(options), options)
    if (options.exit !== false) process.exit(ReportedExit.status)
  }
  const stop = listen(handle)
  setFlagsFromString(withoutPretenuring)
  NodeRuntime.runMain(program, {
    disableErrorReporting: true,
    disablePrettyLogger: true,
    teardown: (exit, done) => {
      const failed = Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)
      if (failed) print(exit.cause, () => sourcesOf(options), options)
      stop()
      done(failed && options.exit !== false ? ReportedExit.status : 0)
    }
  })
}
