// Cursors that only this program can make: each carries a signature over its token and the list it belongs to.
import { type ConfigError, Layer, type Redacted } from "effect"
import { CursorCodec } from "../../src/pagination/internal/columns/CursorCodec.ts"
import * as CursorSignature from "./internal/CursorSignature.ts"

/**
 * Cursors signed with these keys.
 *
 * @example
 * ```ts
 * import { Config, Effect, Layer } from "effect"
 * import { SignedCursors } from "effect-framework/layers/pagination"
 *
 * // The new key signs; cursors of the one before still work.
 * export const cursors = Layer.unwrapEffect(
 *   Effect.gen(function* () {
 *     const young = yield* Config.redacted("CURSOR_KEY")
 *     const old = yield* Config.redacted("CURSOR_KEY_BEFORE")
 *     return SignedCursors.layer([young, old])
 *   })
 * )
 * ```
 */
export const layer = (keys: readonly [Redacted.Redacted, ...ReadonlyArray<Redacted.Redacted>]): Layer.Layer<never> =>
  Layer.succeed(CursorCodec, CursorSignature.make(keys))

/**
 * Cursors signed with the keys of the environment; plain ones where it names none.
 *
 * @example
 * ```ts
 * import { Context, Layer } from "effect"
 * import { Column, Entity, type Repository } from "effect-framework/pagination"
 * import { SignedCursors, SqlRepository } from "effect-framework/layers/pagination"
 *
 * const Sale = Entity.make("sales", { key: "id", columns: { id: Column.integer, total: Column.decimal(2) } })
 *
 * class Sales extends Context.Tag("shop/Sales")<Sales, Repository.For<typeof Sale>>() {}
 *
 * // `PAGINATION_KEYS` signs each cursor: clients cannot make one of their own, such as one at a guessed total.
 * export const services = Layer.provide(SqlRepository.layer(Sales, Sale), SignedCursors.layerConfig)
 * ```
 */
export const layerConfig: Layer.Layer<never, ConfigError.ConfigError> = Layer.effect(
  CursorCodec,
  CursorSignature.config
)
