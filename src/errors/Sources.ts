// The text that a person wrote, around the line that failed.
import { Context, Layer } from "effect"

/** A position in a file, line and column counted from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** Finds and reads the source around a frame, through source maps, never outside of the project. */
export class Sources extends Context.Tag("effect-framework/errors/Sources")<
  Sources,
  {
    /** The folder whose files may be shown, and which paths are shown relative to. */
    readonly root: string
    /** The place in the file that a person wrote: through the source map where there is one. */
    readonly locate: (place: Place) => Place
    /** The lines of a file below the root that the process has loaded; nothing for any other. */
    readonly read: (file: string) => ReadonlyArray<string> | undefined
  }
>() {}

/** Shows no source at all. */
export const layerNone: Layer.Layer<Sources> = Layer.succeed(Sources, {
  root: "",
  locate: (place) => place,
  read: () => undefined
})
