// Cursors that only this program can make: each carries a signature over its token and the list it belongs to.
import { type ConfigError, Layer, type Redacted } from "effect"
import { CursorCodec } from "../../src/pagination/internal/columns/CursorCodec.ts"
import * as CursorSignature from "./internal/CursorSignature.ts"

/** Cursors signed with these keys. */
export const layer = (keys: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]): Layer.Layer<never> =>
  Layer.succeed(CursorCodec, CursorSignature.make(keys))

/** Cursors signed with the keys of the environment; plain ones where it names none. */
export const layerConfig: Layer.Layer<never, ConfigError.ConfigError> = Layer.effect(
  CursorCodec,
  CursorSignature.config
)
