// A process that ended without reporting why: reported by its supervisor, or by the next start.
import { Schema } from "effect"

const reasons: Readonly<Record<string, string>> = {
  SIGABRT: "it aborted, most likely out of memory",
  SIGKILL: "it was killed, possibly by the system because of its memory use",
  SIGSEGV: "segmentation fault",
  SIGBUS: "bus error",
  SIGILL: "illegal instruction",
  uncaught: "an error was not caught"
}

// A shell reports the death by a signal as 128 plus the number of the signal.
const codes: Readonly<Record<number, string>> = { 134: "SIGABRT", 137: "SIGKILL", 139: "SIGSEGV", 255: "uncaught" }

/**
 * A process was killed or crashed. `message` names the process and, where it is known, the reason.
 *
 * @example
 * ```ts
 * import { Command } from "@effect/platform"
 * import { Cause, Effect } from "effect"
 * import { Fatal, Reporters } from "effect-framework/errors"
 *
 * // A process that the program starts itself is reported as a worker of the framework is.
 * export const watched = Effect.gen(function* () {
 *   const { exitCode, pid } = yield* Command.start(Command.make("kettle", "--keep-warm"))
 *   const code = yield* exitCode
 *   const { notify } = yield* Reporters.Reporters
 *   if (code !== 0) yield* notify(Cause.fail(new Fatal.Fatal({ pid, code })))
 * })
 * ```
 */
export class Fatal extends Schema.TaggedError<Fatal>("effect-framework/errors/Fatal")("Fatal", {
  pid: Schema.Number,
  code: Schema.optional(Schema.Number),
  signal: Schema.optional(Schema.String)
}) {
  // It happened in another process: the place of this report says nothing about it.
  override readonly stack = ""

  override get message() {
    if (this.signal === undefined && this.code === undefined) {
      return `Process ${this.pid} ended without a report: it was killed, ran out of memory, or the machine stopped.`
    }
    const reason = reasons[this.signal ?? codes[this.code ?? 0] ?? ""]
    const how = this.signal === undefined ? `exit code ${this.code}` : `signal ${this.signal}`
    return `Process ${this.pid} died (${how})${reason === undefined ? "" : `: ${reason}`}.`
  }
}
