// The session of the request, for what a page keeps for its visitor: a basket, the steps of a wizard.
import type { Effect } from "effect"
import type { Session } from "../../src/session/Session.ts"
import * as SessionCookie from "./internal/SessionCookie.ts"

/**
 * The session of this request, the same one each time. It is read on first use and written before the response of a route of
 * `Pipeline.pages` or `Pipeline.api`; `Pipeline.stateless` writes none.
 *
 * @example
 * ```ts
 * import { Effect, Option } from "effect"
 * import { RequestSession, Respond } from "effect-framework/routes/session"
 *
 * // Remembers the tea of a visitor, who may be a guest.
 * export const choose = (tea: string) =>
 *   Effect.gen(function* () {
 *     const session = yield* RequestSession.current
 *     const before = yield* session.get("teashop/tea")
 *     yield* session.set("teashop/tea", tea)
 *     return Respond.text(`${tea} in place of ${Option.getOrElse(before, () => "nothing")}`)
 *   })
 * ```
 */
export const current: Effect.Effect<Session, never, SessionCookie.Needs> = SessionCookie.current
