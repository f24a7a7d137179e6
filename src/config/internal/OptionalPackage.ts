// An optional peer dependency: loaded when the layer that needs it is used, and named in one line when it is missing.
import { Effect, Schema } from "effect"
import * as StartupLine from "./StartupLine.ts"

/** A layer needs a package that is not installed. */
export class MissingPackage extends Schema.TaggedError<MissingPackage>("effect-framework/config/MissingPackage")(
  "MissingPackage",
  { feature: Schema.String, install: Schema.String }
) {
  get [StartupLine.symbol](): string {
    return "a-package"
  }
  override get message(): string {
    return `${this.feature} needs a package that is not installed. Run: npm install ${this.install}`
  }
}

// Node writes `Cannot find package 'pg' imported from …`; a missing file of our own is a mistake of ours.
const isMissing = (error: unknown, install: string): boolean =>
  error instanceof Error && install.split(" ").some((name) => error.message.includes(`Cannot find package '${name}'`))

/** Loads what `feature` needs; `install` are the names of the packages, separated by spaces. */
export const load = <A>(feature: string, install: string, load: () => Promise<A>): Effect.Effect<A, MissingPackage> =>
  Effect.catchAllDefect(Effect.promise(load), (error) =>
    isMissing(error, install) ? new MissingPackage({ feature, install }) : Effect.die(error)
  )
