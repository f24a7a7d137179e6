// Who may see a page: those who are signed in, or those who are not yet.
import type { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { Unauthenticated } from "../../src/auth/Unauthenticated.ts"
import { Authentication, firstOf, toSignIn } from "./Authentication.ts"
import { RememberGuard } from "./RememberGuard.ts"
import * as Reply from "./Reply.ts"
import { SessionGuard } from "./SessionGuard.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Where someone who is signed in belongs. */
export const home = "/account"

/** Where a guest signs in. */
export const signIn = "/login"

const guards = [SessionGuard, RememberGuard] as const

/** Behind the session, or else the remembered device; a guest is led to the sign-in page. */
export const membersOnly = Authentication(guards, toSignIn(signIn, new Unauthenticated().message))

const visitor = firstOf(guards)

/** For guests: whoever is signed in already, or remembered, is led to the account. */
export const guestsOnly = <E, R>(handler: Handler<E, R>) =>
  Effect.flatMap(visitor, (found): Handler<E, R | HttpServerRequest.HttpServerRequest> =>
    Option.isSome(found) ? Reply.led(home, { value: found.value }) : handler
  )
