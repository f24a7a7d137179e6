// Parses multipart bodies and keeps their files in a temporary folder.
import { Context, type Effect, type Scope } from "effect"
import type { MalformedBody } from "../../http/BodyError.ts"
import type { PartHead } from "./PartHead.ts"

export type { PartHead } from "./PartHead.ts"

/** What the parser found, in the order of the body. */
export type PartEvent =
  | { readonly _tag: "Field"; readonly head: PartHead; readonly value: Uint8Array }
  | { readonly _tag: "FileStart"; readonly head: PartHead }
  | { readonly _tag: "FileBytes"; readonly bytes: Uint8Array }
  | { readonly _tag: "FileEnd" }
  | { readonly _tag: "Failed"; readonly reason: MalformedBody["reason"] }
  | { readonly _tag: "Done" }

/** Parses one body, as its bytes arrive. After `Failed` and `Done` it ignores what comes. */
export interface PartParser {
  readonly write: (bytes: Uint8Array) => ReadonlyArray<PartEvent>
  readonly end: () => ReadonlyArray<PartEvent>
}

/** A file that is being written. It is deleted when its scope closes, unless it was moved. */
export interface TemporaryFile {
  readonly path: string
  readonly write: (bytes: Uint8Array) => Effect.Effect<void>
  /** Closes it after the last byte. */
  readonly finish: Effect.Effect<void>
  /** Deletes it at once. */
  readonly discard: Effect.Effect<void>
  readonly persist: (path: string) => Effect.Effect<void>
}

/** Multipart bodies and temporary files, for the routes that accept uploads. */
export class Uploads extends Context.Tag("effect-framework/session/Uploads")<
  Uploads,
  {
    /** A parser for a body of this content type; `undefined` when it names no boundary. */
    readonly parser: (contentType: string) => PartParser | undefined
    /** A new, empty file. */
    readonly create: Effect.Effect<TemporaryFile, never, Scope.Scope>
  }
>() {}
