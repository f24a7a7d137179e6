// Parses multipart bodies and keeps their files in a temporary folder.
import { Context, type Effect, type Scope } from "effect"
import type { PartParser, TemporaryFile } from "./internal/UploadParts.ts"

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
