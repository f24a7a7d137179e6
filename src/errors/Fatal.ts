// A process that ended without a chance to say why: told by the one that watched over it, or by the next start.
import { Schema } from "effect"

const reasons: Readonly<Record<string, string>> = {
  SIGABRT: "it aborted, most likely out of memory",
  SIGKILL: "it was killed, perhaps by the system for its memory",
  SIGSEGV: "it touched memory that is not its own",
  SIGBUS: "it touched memory that is not there",
  SIGILL: "it met an instruction that does not exist"
}

// A shell tells the death by a signal as 128 and the number of the signal.
const codes: Readonly<Record<number, string>> = { 134: "SIGABRT", 137: "SIGKILL", 139: "SIGSEGV", 255: "uncaught" }

/** A process was killed or crashed; `message` says which one and, where that is known, how. */
export class Fatal extends Schema.TaggedError<Fatal>("effect-framework/errors/Fatal")("Fatal", {
  pid: Schema.Number,
  code: Schema.optional(Schema.Number),
  signal: Schema.optional(Schema.String)
}) {
  // It happened in another process: where it is told tells nothing.
  override readonly stack = ""

  override get message() {
    if (this.signal === undefined && this.code === undefined) {
      return `Process ${this.pid} ended without a word: it was killed, ran out of memory, or the machine stopped.`
    }
    const signal = this.signal ?? codes[this.code ?? 0]
    const reason = signal === "uncaught" ? "it threw what nobody caught" : reasons[signal ?? ""]
    const how = this.signal === undefined ? `exit code ${this.code ?? "unknown"}` : `signal ${this.signal}`
    return `Process ${this.pid} died (${how})${reason === undefined ? "" : `: ${reason}`}.`
  }
}

/** What is known of a process that ended; without `code` and `signal` nobody watched it. */
export interface ProcessExit {
  readonly pid: number
  readonly code?: number | undefined
  readonly signal?: string | undefined
}

/** The error that the end of a process stands for. */
export const from = ({ code, pid, signal }: ProcessExit): Fatal => new Fatal({ pid, code, signal })
