// The one line that is printed when the program does not start.
import { ConfigError, Predicate } from "effect"
import * as Setting from "./Setting.ts"

/**
 * Marks an error whose message is the whole explanation of a start that failed: it is printed without a stack. Its value
 * is `true`, or the heading of `docs/troubleshooting.md` that says what to do.
 */
export const symbol: unique symbol = Symbol.for("effect-framework/config/StartupError")

/**
 * The line of a start that failed for a reason outside of the program, empty when a worker has printed it; `undefined`
 * for a mistake in the program.
 */
export const line = (thrown: unknown): string | undefined => {
  if (ConfigError.isConfigError(thrown)) return guided(Setting.line(thrown), "a-setting")
  return thrown instanceof Error && Predicate.hasProperty(thrown, symbol)
    ? guided(thrown.message, thrown[symbol])
    : undefined
}

/** Where the page is in the package: a project has it below `node_modules`, and no folder `docs` of its own. */
export const page = "effect-framework/docs/troubleshooting.md"

/** A line with its heading: `cannot listen on 127.0.0.1:80: … (see effect-framework/docs/troubleshooting.md#the-port)`. */
export const guided = (line: string, entry: unknown): string =>
  line === "" || typeof entry !== "string" ? line : `${line} (see ${page}#${entry})`
