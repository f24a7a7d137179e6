// Who may make a cursor: anyone who can spell one, unless a layer signs them.
import { Context, Either } from "effect"
import type { InvalidCursor } from "./Cursor.ts"

/** How a cursor leaves and comes back. */
export interface Codec {
  /** The token as it leaves; `list` names the entity, the order columns and the directions. */
  readonly encode: (token: string, list: string) => string
  /** The token that was sealed for this very list. */
  readonly decode: (sealed: string, list: string) => Either.Either<string, InvalidCursor>
}

/** The token of the specification as it stands: readable and forgeable, though never able to reach past its list. */
export const plain: Codec = { encode: (token) => token, decode: Either.right }

/** The sealing in force; cursors are plain unless a layer such as `SignedCursors` says otherwise. */
export class CursorCodec extends Context.Reference<CursorCodec>()("effect-framework/pagination/CursorCodec", {
  defaultValue: () => plain
}) {}
