// A list or an entity that is declared wrong: a mistake in the program, found when its module is loaded.
import * as StartupLine from "../../config/internal/StartupLine.ts"

/** The mistake, with the heading of `docs/troubleshooting.md` that says what to do. */
export const misdeclared = (reason: string): TypeError =>
  new TypeError(StartupLine.guided(reason, "a-declaration-that-is-refused"))
