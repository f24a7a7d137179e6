// The text that a person wrote, around the line that failed.
import { Context, Layer } from "effect"

export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
}

export class Sources extends Context.Tag("errors/Sources")<
  Sources,
  {
    /** The folder whose files may be shown, and which paths are shown relative to. */
    readonly root: string
    /** The place in the file that a person wrote: through the source map where there is one. */
    readonly locate: (place: Place) => Place
    /** The text of a file below the root that the process has loaded; nothing for any other. */
    readonly read: (file: string) => string | undefined
  }
>() {}

/** Shows no source at all. */
export const layerNone: Layer.Layer<Sources> = Layer.succeed(Sources, {
  root: "",
  locate: (place) => place,
  read: () => undefined
})
