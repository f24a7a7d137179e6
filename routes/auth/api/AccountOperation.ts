// An operation of a page as an endpoint of the API: how it reads the request, and the sentences that it responds with.
import { Headers, HttpServerRequest } from "@effect/platform"
import { Effect, Option } from "effect"
import { UnsupportedMediaType } from "../../../src/http/BodyError.ts"
import type { AfterResponse } from "../../../src/http/AfterResponse.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import type { Row } from "../../../src/auth/internal/profile/ProfileRow.ts"
import type { Identity } from "../../../src/session/Identity.ts"
import type { BearerSession } from "../../../src/session/Session.ts"
import * as SessionCookie from "../../session/internal/SessionCookie.ts"
import * as Respond from "../../session/Respond.ts"
import * as CsrfGuard from "../../session/internal/CsrfGuard.ts"
import { AuthTexts, type Texts as AllTexts } from "../../../src/auth/AuthTexts.ts"
import * as FormPayload from "../../http/internal/api/FormPayload.ts"
import * as Texts from "../../http/Texts.ts"
import * as PendingSession from "../signin/PendingSession.ts"
import { InvalidLink, PendingEnded, typed } from "./AccountFailures.ts"

type Request = HttpServerRequest.HttpServerRequest

const current = HttpServerRequest.HttpServerRequest

/** The operation, which sees no cookie: neither a session nor a trusted device takes part in it. */
export const withoutCookies = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Request> =>
  Effect.flatMap(current, (request): Effect.Effect<A, E, R> => {
    if (request.headers["cookie"] === undefined) return operation
    const headers = Headers.remove(request.headers, "cookie")
    return Effect.provideService(operation, current, request.modify({ headers }))
  })

/** The operation of a guarded endpoint. Beside an `Authorization` header no cookie counts, not even that of a device. */
export const asGuarded = <A, E, R>(operation: Effect.Effect<A, E, R>): Effect.Effect<A, E, R | Request> =>
  Effect.flatMap(current, ({ headers }) =>
    headers["authorization"] === undefined ? operation : withoutCookies(operation)
  )

/** The operation of an endpoint that is open to everyone: its cookies count only with the token of their session. */
export const withCheckedCookies = <A, E, R>(operation: Effect.Effect<A, E, R>) =>
  Effect.flatMap(current, ({ headers }) =>
    headers["authorization"] !== undefined || headers["cookie"] === undefined
      ? withoutCookies(operation)
      : Effect.zipRight(CsrfGuard.header, operation)
  )

/** The operation with a JSON payload. A form on any other site can send everything but that without a preflight. */
export const withJson = <A, E, R>(operation: Effect.Effect<A, E, R>) =>
  Effect.flatMap(current, ({ headers }): Effect.Effect<A, E | UnsupportedMediaType, R> => {
    const contentType = headers["content-type"]
    return contentType === undefined || FormPayload.isJson(contentType)
      ? operation
      : new UnsupportedMediaType({ contentType: contentType.slice(0, 100) })
  })

/** What the server gives to every request, whatever its handler declares. */
type Given = RequestState | AfterResponse

/** The effect as part of a request. A boundary of the type system: Effect does not know what this server gives to each. */
export const served = <A, E, R>(effect: Effect.Effect<A, E, R>) => effect as Effect.Effect<A, E, Exclude<R, Given>>

/** The operation as a handler: with the failures that its endpoint declares, and a response that no cache keeps. */
export const asHandler = <A, E, R>(operation: Effect.Effect<A, E, R>) =>
  Effect.flatMap(RequestState, (state) => {
    state.personal = true
    return typed(operation)
  }).pipe(served)

type Choose = (texts: AllTexts) => string

/** The body of a response that says only this. */
export const message = (choose: Choose) => Effect.map(Texts.of(AuthTexts), (texts) => ({ message: choose(texts) }))

/** An account in a response, in a program with profiles. */
export const withProfile = (identity: Identity, profile: Row | undefined) =>
  profile === undefined ? identity : { ...identity, profile }

/** A bearer in a response. */
export const bearerOf = ({ expires, secret }: BearerSession) => ({ token: secret, expires })

/** A response that says what has to follow. */
export const accepted = (value: unknown) => Respond.json(value, { status: 202 })

/** Says this, with the new secret of a session without cookies: the old one stops working. */
export const regenerated = Effect.fnUntraced(function* (choose: Choose) {
  const bearer = yield* Effect.flatMap(SessionCookie.current, (session) => session.bearer)
  const done = yield* message(choose)
  return Option.match(bearer, { onNone: () => done, onSome: (one) => ({ ...done, bearer: bearerOf(one) }) })
})

/** Does it, and says this. */
export const saying =
  (choose: Choose) =>
  <A, E, R>(operation: Effect.Effect<A, E, R>) =>
    Effect.zipRight(operation, message(choose))

/** Says this where the link was valid, and else fails with that. */
export const redeemed = (done: Choose, expired: Choose) => (isDone: boolean) =>
  isDone ? message(done) : Effect.flatMap(Texts.of(AuthTexts), (texts) => new InvalidLink({ error: expired(texts) }))

/** Fails: the sign-in begins from the start. */
export const pendingEnded = Effect.flatMap(
  Texts.of(AuthTexts),
  ({ loginFactor }) => new PendingEnded({ error: loginFactor.startOver })
)

/** Ends the pending sign-in of this browser as well. */
export const startOver = Effect.zipRight(PendingSession.end, pendingEnded)

/** The account with its session without cookies; fails like this where the account was revoked meanwhile. */
export const withBearer = <A, E, R>(
  account: A,
  granted: Option.Option<BearerSession>,
  revoked: Effect.Effect<never, E, R>
) => (Option.isNone(granted) ? revoked : Effect.succeed({ account, bearer: bearerOf(granted.value) }))
