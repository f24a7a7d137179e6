// The scopes of API tokens: what the bearer of a token may do, in names that the program chooses.
import { Effect, Layer, Schema } from "effect"
import * as StartupLine from "../config/internal/StartupLine.ts"
import * as ErrorResponse from "../http/internal/ErrorResponse.ts"
import { type Description, OfferedScopes } from "./internal/OfferedScopes.ts"
import * as GrantedScopes from "../session/internal/GrantedScopes.ts"

export type { Description, OfferedScopes } from "./internal/OfferedScopes.ts"

/** The scopes of a program by name, such as `notes:read`. */
export interface ApiScopes<Scope extends string> {
  readonly descriptions: Readonly<Record<Scope, Description>>
  readonly names: ReadonlyArray<Scope>
  /** For a handler that does more for some tokens: whether this request may. Always `true` for a session. */
  readonly allows: (scope: Scope) => Effect.Effect<boolean>
  /** Offers the scopes on `/account/tokens`. Without this layer there is no such page. */
  readonly layer: Layer.Layer<OfferedScopes>
}

// As in OAuth: a list of scopes is separated by blanks, and stands between quotes in a header.
const isScope = (text: string): boolean => /^[\x21\x23-\x5b\x5d-\x7e]{1,64}$/.test(text)

/** The scopes of a program: `ApiScopes.make({ "notes:read": "Read your notes" })`. */
export const make = <const Scope extends string>(
  descriptions: Readonly<Record<Scope, Description>>
): ApiScopes<Scope> => {
  // A boundary: the keys of an object that has only these.
  const names = Object.keys(descriptions) as Array<Scope>
  const wrong = names.find((name) => !isScope(name))
  if (wrong !== undefined) {
    const reason = `A scope is printable ASCII without blanks, quotes and backslashes: ${JSON.stringify(wrong)}`
    throw new RangeError(StartupLine.guided(reason, "a-name-that-is-refused"))
  }
  return {
    descriptions,
    names,
    allows: (scope) =>
      Effect.map(GrantedScopes.current, (granted) => granted === undefined || granted.scopes.has(scope)),
    layer: Layer.succeed(OfferedScopes, descriptions)
  }
}

/**
 * The token of this request lacks a scope: 403.
 *
 * @example
 * ```ts
 * import { Effect } from "effect"
 * import { ApiScopes } from "effect-framework/auth"
 *
 * const scopes = ApiScopes.make({ "orders:read": "Read your orders", "orders:prices": "See what you paid" })
 *
 * // In an endpoint for `orders:read`, whose prices need one more scope.
 * export const order = (withPrice: boolean) =>
 *   Effect.gen(function* () {
 *     if (!withPrice) return { tea: "Assam" }
 *     if (yield* scopes.allows("orders:prices")) return { tea: "Assam", price: 4 }
 *     return yield* new ApiScopes.InsufficientScope({ scope: "orders:prices" })
 *   })
 * ```
 */
export class InsufficientScope extends Schema.TaggedError<InsufficientScope>("effect-framework/auth/InsufficientScope")(
  "InsufficientScope",
  { scope: Schema.String },
  ErrorResponse.declared(403, "The API token lacks a scope.")
) {
  override get message() {
    return `The API token has no scope ${this.scope}.`
  }
  get [ErrorResponse.symbol]() {
    return ErrorResponse.of(403, { message: this.message })
  }
}
