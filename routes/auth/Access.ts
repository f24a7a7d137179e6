// Restricts a route to signed-in users, to some of them, to those who confirmed who they are, or to guests.
import type { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Option } from "effect"
import { RequestState } from "../../src/http/internal/RequestState.ts"
import { Forbidden } from "../../src/auth/AuthError.ts"
import { Authentication, RememberGuard, SessionGuard, toSignIn } from "./Authentication.ts"
import * as ConfirmFirst from "./confirmation/ConfirmFirst.ts"
import { firstOf } from "../session/internal/FirstGuard.ts"
import * as PageTexts from "./internal/PageTexts.ts"
import * as Respond from "../session/Respond.ts"
import { home, signIn } from "./internal/AuthPaths.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const guards = [SessionGuard, RememberGuard] as const

/**
 * Requires a signed-in user, by the session or by a trusted device; guests are redirected to the sign-in page.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Effect } from "effect"
 * import { Access } from "effect-framework/routes/auth"
 * import { Respond } from "effect-framework/routes/session"
 * import { Identity } from "effect-framework/session"
 *
 * const tea = Effect.map(Identity.CurrentIdentity, ({ email }) => Respond.text(`Tea for ${email}`))
 *
 * export const route = HttpLayerRouter.route("GET", "/tea", Access.requireUser(tea))
 * ```
 */
export const requireUser = Authentication(
  guards,
  toSignIn(signIn, ({ required }) => required)
)

/**
 * Requires a signed-in user for whom the condition holds: `Access.requireThat(isAdmin)(handler)`. Guests are redirected to
 * the sign-in page; anyone else gets 403, or what `otherwise` responds or fails with.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Effect } from "effect"
 * import { Access } from "effect-framework/routes/auth"
 * import { Respond } from "effect-framework/routes/session"
 * import { Identity } from "effect-framework/session"
 *
 * const isStaff = Effect.map(Identity.CurrentIdentity, ({ email }) => email.endsWith("@example.com"))
 *
 * export const route = HttpLayerRouter.route(
 *   "GET",
 *   "/stock",
 *   Access.requireThat(isStaff)(Effect.succeed(Respond.text("12 cups")))
 * )
 * ```
 */
export const requireThat = <E, R, E2 = never, R2 = never>(
  condition: Effect.Effect<boolean, E, R>,
  otherwise?: Handler<E2, R2>
) => {
  const refusal: Handler<E2 | Forbidden, R2> = otherwise ?? new Forbidden({})
  return <E3, R3>(handler: Handler<E3, R3>) =>
    requireUser(
      Effect.flatMap(condition, (isMet): Handler<E2 | E3 | Forbidden, R2 | R3> => (isMet ? handler : refusal))
    )
}

/**
 * Requires a signed-in user who confirmed who they are within `AUTH_CONFIRMATION_TTL`, by a sign-in with the password or at
 * `/confirm`. A page redirects there and back; a JSON client gets 403. A trusted device that signed in by itself has to
 * confirm.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Effect } from "effect"
 * import { Access } from "effect-framework/routes/auth"
 * import { Respond } from "effect-framework/routes/session"
 *
 * export const route = HttpLayerRouter.route(
 *   "GET",
 *   "/vault",
 *   Access.requireConfirmation(Effect.succeed(Respond.text("gold")))
 * )
 * ```
 */
export const requireConfirmation = <E, R>(handler: Handler<E, R>) => requireUser(ConfirmFirst.guard(handler))

const visitor = firstOf(guards)

/**
 * For guests only: a signed-in or remembered user is redirected to the account page. So is a client that a concurrent
 * response is signing in: the form would be of no use.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Html } from "effect-framework/http"
 * import { Access } from "effect-framework/routes/auth"
 * import { Page } from "effect-framework/routes/session"
 *
 * const welcome = Page.render({
 *   title: "Welcome",
 *   main: Html.html`<p><a href="/register">Sign up</a>, and the first cup is free.</p>`
 * })
 *
 * export const route = HttpLayerRouter.route("GET", "/welcome", Access.requireGuest(welcome))
 * ```
 */
export const requireGuest = <E, R>(handler: Handler<E, R>) => {
  const toAccount = (
    json: Parameters<typeof Respond.redirect>[1]
  ): Handler<E, R | HttpServerRequest.HttpServerRequest> => Respond.redirect(home, json)
  return Effect.flatMap(visitor, (found) =>
    Option.isSome(found)
      ? toAccount({ value: found.value })
      : Effect.flatMap(RequestState, ({ lostRace }) =>
          lostRace
            ? PageTexts.withTexts(({ login }) => toAccount({ status: 401, value: { error: login.required } }))
            : handler
        )
  )
}
