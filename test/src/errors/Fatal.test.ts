import { describe, expect, it } from "@effect/vitest"
import { Fatal } from "../../../src/errors/Fatal.ts"
import * as CauseThrowables from "../../../src/errors/internal/CauseThrowables.ts"

describe("Fatal", () => {
  it.each([
    [{ pid: 7, signal: "SIGABRT" }, "Process 7 died (signal SIGABRT): it aborted, most likely out of memory."],
    [
      { pid: 7, signal: "SIGKILL" },
      "Process 7 died (signal SIGKILL): it was killed, possibly by the system because of its memory use."
    ],
    [{ pid: 7, code: 134 }, "Process 7 died (exit code 134): it aborted, most likely out of memory."],
    [{ pid: 7, code: 255 }, "Process 7 died (exit code 255): an error was not caught."],
    [{ pid: 7, code: 3 }, "Process 7 died (exit code 3)."],
    [{ pid: 7 }, "Process 7 ended without a report: it was killed, ran out of memory, or the machine stopped."]
  ])("describes the exit %o", (exit, message) => {
    const throwable = CauseThrowables.from(new Fatal(exit))
    expect([throwable.class, throwable.message, throwable.frames]).toEqual(["Fatal", message, []])
  })
})
