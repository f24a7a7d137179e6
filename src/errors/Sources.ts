// The source code around a failing line.
import { Context, type Effect, Layer } from "effect"

/** A position in a file, line and column counted from 1. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly column: number
  /** The function, if it is known. */
  readonly call?: string
}

/**
 * Finds and reads the source of a frame, through source maps, only inside the project.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { Sources, type Throwable } from "effect-framework/errors"
 *
 * // The line that failed, for a message to the team; none for a file of a dependency.
 * export const failedLine = ({ frames: [frame] }: Throwable.Throwable) =>
 *   Effect.map(Sources.Sources, ({ locate, read }) => {
 *     if (frame === undefined) return undefined
 *     const { file, line } = locate(frame)
 *     return read(file)?.[line - 1]
 *   })
 * ```
 */
export class Sources extends Context.Tag("effect-framework/errors/Sources")<
  Sources,
  {
    /** The folder whose files may be shown; paths are shown relative to it. */
    readonly root: string
    /** The place in the original source, through the source map if there is one and it is open by now. */
    readonly locate: (place: Place) => Place
    /** Waits for the source maps that `locate` has begun to open, and tells whether there were any; absent when it opens none. */
    readonly opened?: Effect.Effect<boolean>
    /** The lines of a file below the root that the process has loaded; `undefined` for any other. */
    readonly read: (file: string) => ReadonlyArray<string> | undefined
  }
>() {}

/** Shows no source. */
export const layerNone: Layer.Layer<Sources> = Layer.succeed(Sources, {
  root: "",
  locate: (place) => place,
  read: () => undefined
})
