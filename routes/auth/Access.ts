// Restricts a route to signed-in users, or to guests.
import type { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { Exchange } from "../../src/http/Exchange.ts"
import { Authentication, toSignIn } from "./Authentication.ts"
import { firstOf } from "./FirstGuard.ts"
import { RememberGuard } from "./RememberGuard.ts"
import * as PageTexts from "./PageTexts.ts"
import * as Reply from "./Reply.ts"
import { SessionGuard } from "./SessionGuard.ts"
import { home, signIn } from "./AuthPaths.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const guards = [SessionGuard, RememberGuard] as const

/** Requires a signed-in user, by the session or by a trusted device; guests are redirected to the sign-in page. */
export const requireUser = Authentication(
  guards,
  toSignIn(signIn, ({ required }) => required)
)

const visitor = firstOf(guards)

/**
 * For guests only: a signed-in or remembered user is redirected to the account page. So is a client that a concurrent
 * response is signing in: the form would be of no use.
 */
export const guestOnly = <E, R>(handler: Handler<E, R>) => {
  const toAccount = (json: Parameters<typeof Reply.redirect>[1]): Handler<E, R | HttpServerRequest.HttpServerRequest> =>
    Reply.redirect(home, json)
  return Effect.flatMap(visitor, (found) =>
    Option.isSome(found)
      ? toAccount({ value: found.value })
      : Effect.flatMap(Exchange, ({ lostRace }) =>
          lostRace
            ? PageTexts.withTexts(({ login }) => toAccount({ status: 401, value: { error: login.required } }))
            : handler
        )
  )
}
