// A job that is declared wrong: a mistake in the program, found when its module is loaded.
import * as StartupLine from "../../config/internal/StartupLine.ts"

/** The mistake, with the heading of `docs/troubleshooting.md` that says what to do. */
export const refused = (reason: string): RangeError =>
  new RangeError(StartupLine.guided(reason, "a-job-that-is-refused"))
