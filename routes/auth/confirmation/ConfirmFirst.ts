// Leads a signed-in user to the page of the confirmation first, and back.
import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect } from "effect"
import * as ReturnTo from "../../../src/session/internal/ReturnTo.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as Respond from "../../session/Respond.ts"
import { confirm } from "../internal/AuthPaths.ts"
import * as Confirmation from "./Confirmation.ts"

/** What responds to a request. */
export type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Redirects to the page of the confirmation. Only a page that was opened is returned to: a form would have to be sent again. */
export const redirect = Effect.gen(function* () {
  const { method, url } = yield* HttpServerRequest.HttpServerRequest
  const session = yield* SessionCookie.current
  const target = method === "GET" ? ReturnTo.parse(url) : undefined
  if (target === undefined) yield* session.pull(ReturnTo.confirmKey)
  else yield* session.set(ReturnTo.confirmKey, target)
  const { confirm: path, error } = yield* Confirmation.refusal
  return yield* Respond.redirect(confirm, { status: 403, value: { error, confirm: path } })
})

/** The handler of a signed-in user, in a session that was confirmed recently. */
export const guard = <E, R>(handler: Handler<E, R>) =>
  Effect.flatMap(Confirmation.isRecent, (isRecent): Handler<E, R | Effect.Effect.Context<typeof redirect>> =>
    isRecent ? handler : redirect
  )
