// Why the program did not start, in one line.
import { Schema } from "effect"
import { symbol } from "./internal/StartupLine.ts"

/**
 * The program cannot start for a reason outside of it; `reason` is the whole line, empty when it was already printed.
 *
 * @example
 * ```ts
 * import { FileSystem } from "@effect/platform"
 * import { NodeFileSystem } from "@effect/platform-node"
 * import { Console, Effect } from "effect"
 * import { StartupError } from "effect-framework/config"
 * import { RunMain } from "effect-framework/layers/errors"
 *
 * const menu = Effect.flatMap(FileSystem.FileSystem, (files) => files.readFileString("menu.json")).pipe(
 *   Effect.mapError(() => new StartupError.StartupError({ reason: "menu.json cannot be read" }))
 * )
 *
 * // Without the file this line is printed in place of a stack, and the process ends with 255.
 * RunMain.run(Effect.provide(Effect.flatMap(menu, Console.log), NodeFileSystem.layer))
 * ```
 */
export class StartupError extends Schema.TaggedError<StartupError>("effect-framework/config/StartupError")(
  "StartupError",
  { reason: Schema.String, entry: Schema.optional(Schema.String) }
) {
  get [symbol](): string | true {
    return this.entry ?? true
  }
  override get message() {
    return this.reason
  }
}
