// The last handler of a process: what nobody caught is reported on standard error, and the status is 255.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Cause, Effect, Exit, Layer, Runtime } from "effect"
import { writeSync } from "node:fs"
import * as ConsoleReport from "../../src/errors/ConsoleReport.ts"
import * as SafeText from "../../src/errors/SafeText.ts"
import { Reporters } from "../../src/errors/Reporters.ts"
import { Sources } from "../../src/errors/Sources.ts"
import * as Throwable from "../../src/errors/Throwable.ts"
import * as FileSources from "./FileSources.ts"

/** The exit status of a program that ends with an uncaught error. */
export const status = 255

/** What is reported and how, and whether the process ends. */
export interface Options {
  /** Whether the process ends; `false` only reports. */
  readonly exit?: boolean
  readonly verbosity?: ConsoleReport.Verbosity
  /** The folder whose files may be shown. */
  readonly root?: string
  /** What says all in one line, such as a port that is taken, needs no report; an empty line is not printed. */
  readonly line?: (thrown: unknown) => string | undefined
}

// A pipe that is full says so instead of waiting; a report that is cut off is worth little, so it is waited for here.
const patience = 5000

const write = (text: string): void => {
  const bytes = Buffer.from(text)
  const deadline = Date.now() + patience
  for (let at = 0; at < bytes.length && Date.now() < deadline;) {
    try {
      at += writeSync(2, bytes, at)
    } catch (error) {
      // Nobody reads any more.
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

const print = (thrown: unknown, sources: () => Sources["Type"], { line, verbosity = 3 }: Options): void => {
  try {
    const throwable = Throwable.from(thrown)
    const said = line?.(throwable.value)
    if (said !== undefined) return said === "" ? undefined : write(`${SafeText.line(said)}\n`)
    const colours = ConsoleReport.wantsColours(process.env, process.stderr.isTTY === true)
    write(ConsoleReport.render(throwable, { sources: sources(), verbosity, colours }))
  } catch {
    // Whatever was thrown could not even be looked at.
    write("\n  Something was thrown that cannot be shown.\n\n")
  }
}

const sourcesOf = ({ root }: Options): Sources["Type"] =>
  Effect.runSync(Effect.provide(Sources, root === undefined ? FileSources.layer : FileSources.layerWith({ root })))

const events = ["uncaughtException", "unhandledRejection"] as const

const listen = (handle: (thrown: unknown) => void): (() => void) => {
  for (const event of events) process.on(event, handle)
  return () => {
    for (const event of events) process.off(event, handle)
  }
}

/**
 * Watches the process while the layer lives: what is thrown outside of every fiber, or rejected without a handler, is
 * given to the reporters, printed, and ends the process when the reporters are done.
 */
export const layer = (options: Options = {}): Layer.Layer<never, never, Reporters | Sources> =>
  Layer.scopedDiscard(
    Effect.gen(function* () {
      const reporters = yield* Reporters
      const sources = yield* Sources
      const runtime = yield* Effect.runtime<never>()
      const handle = (thrown: unknown): void => {
        print(thrown, () => sources, options)
        const told = Effect.zipRight(reporters.notify(Cause.die(thrown)), reporters.settle)
        const end = Effect.sync(() => (options.exit === false ? undefined : process.exit(status)))
        Runtime.runFork(runtime, Effect.ensuring(told, end))
      }
      yield* Effect.acquireRelease(
        Effect.sync(() => listen(handle)),
        (stop) => Effect.sync(stop)
      )
    })
  )

/** Tells the reporters of a program's failure before its layers close. */
export const reported = <A, E, R>(program: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Reporters> =>
  Effect.tapErrorCause(program, (cause) =>
    Effect.flatMap(Reporters, ({ notify, settle }) => Effect.zipRight(notify(cause), settle))
  )

/** Runs a console program: a failure, a defect, a throw anywhere or a lost rejection prints the report and ends with 255. */
export const runMain = <A, E>(program: Effect.Effect<A, E>, options: Options = {}): void => {
  const handle = (thrown: unknown): void => {
    // The program has a layer that watches, and that one also tells the reporters.
    if (process.listenerCount("uncaughtException") > 1) return
    print(thrown, () => sourcesOf(options), options)
    if (options.exit !== false) process.exit(status)
  }
  const stop = listen(handle)
  NodeRuntime.runMain(program, {
    disableErrorReporting: true,
    disablePrettyLogger: true,
    teardown: (exit, done) => {
      const failed = Exit.isFailure(exit) && !Cause.isInterruptedOnly(exit.cause)
      if (failed) print(exit.cause, () => sourcesOf(options), options)
      stop()
      done(failed && options.exit !== false ? status : 0)
    }
  })
}
