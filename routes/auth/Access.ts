// Who may see a page: those who are signed in, or those who are not yet.
import type { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { Unauthenticated } from "../../src/auth/Unauthenticated.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import { Authentication, firstOf, toSignIn } from "./Authentication.ts"
import { RememberGuard } from "./RememberGuard.ts"
import * as Reply from "./Reply.ts"
import { SessionGuard } from "./SessionGuard.ts"
import { home, signIn } from "./AuthPaths.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const guards = [SessionGuard, RememberGuard] as const

/** Behind the session, or else the remembered device; a guest is led to the sign-in page. */
export const requireUser = Authentication(guards, toSignIn(signIn, new Unauthenticated().message))

const visitor = firstOf(guards)

/**
 * For guests: whoever is signed in already, or remembered, is led to the account. So is one whom another response is
 * signing in at this moment: the form would be of no use to them.
 */
export const guestOnly = <E, R>(handler: Handler<E, R>) => {
  const onward = (told: Reply.JsonReply): Handler<E, R | HttpServerRequest.HttpServerRequest> =>
    Reply.redirect(home, told)
  return Effect.flatMap(visitor, (found) =>
    Option.isSome(found)
      ? onward({ value: found.value })
      : Effect.flatMap(Exchange, ({ lostRace }) =>
          lostRace ? onward({ status: 401, value: { error: new Unauthenticated().message } }) : handler
        )
  )
}
