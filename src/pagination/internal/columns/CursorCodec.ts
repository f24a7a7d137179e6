// How a program writes the cursors that clients get: as they are, or signed.
import { Context, Either } from "effect"
import type { InvalidCursor } from "../../Cursor.ts"

/** Encodes and decodes cursors. */
export interface Codec {
  /** The cursor that a client gets; `list` names the entity, the order columns and the directions. */
  readonly encode: (token: string, list: string) => string
  /** The token of a cursor that was encoded for this list. */
  readonly decode: (cursor: string, list: string) => Either.Either<string, InvalidCursor>
}

// The token itself: readable and forgeable, but it reaches no row outside its list.
const plain: Codec = { encode: (token) => token, decode: Either.right }

/** The codec in use; plain unless a layer such as `SignedCursors` replaces it. */
export class CursorCodec extends Context.Reference<CursorCodec>()("effect-framework/pagination/CursorCodec", {
  defaultValue: () => plain
}) {}
