// Passwords that anyone would guess: a list, and the corpus of leaked ones where the operator switches it on.
import { Context, Effect, Layer, type Option, type Redacted } from "effect"

/** Why a password is refused: it is among the most common, or it has been leaked. */
export type Refusal = "Common" | "Breached"

/**
 * Looks a chosen password up. It never fails: what cannot be read refuses nothing.
 *
 * @example
 * ```ts
 * import { Effect, Layer, Option, Redacted } from "effect"
 * import { RefusedPasswords } from "effect-framework/auth"
 *
 * // Among the services of a program: what is guessed first in a shop for tea, and then what the framework refuses.
 * export const refused = Layer.effect(
 *   RefusedPasswords.RefusedPasswords,
 *   Effect.map(RefusedPasswords.RefusedPasswords, ({ find }) => ({
 *     find: (password) =>
 *       /teapot/i.test(Redacted.value(password))
 *         ? Effect.succeed(Option.some<RefusedPasswords.Refusal>("Common"))
 *         : find(password)
 *   }))
 * )
 * ```
 */
export class RefusedPasswords extends Context.Tag("effect-framework/auth/RefusedPasswords")<
  RefusedPasswords,
  { readonly find: (password: Redacted.Redacted) => Effect.Effect<Option.Option<Refusal>> }
>() {}

/**
 * Accepts the most common passwords, too: for a program that has another check of its own.
 *
 * @example
 * ```ts
 * import { RefusedPasswords } from "effect-framework/auth"
 * import { TestApp } from "effect-framework/testing"
 *
 * // For tests that sign people up with passwords that anyone would guess.
 * export const app = TestApp.layer([], { services: RefusedPasswords.layerNone })
 * ```
 */
export const layerNone: Layer.Layer<RefusedPasswords> = Layer.succeed(RefusedPasswords, {
  find: () => Effect.succeedNone
})
