// Requires a signed-in user: the guards run in turn, and the first that finds an account decides.
import { signIn } from "../../src/session/internal/SessionGrants.ts"
import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { AuthTexts } from "../../src/auth/AuthTexts.ts"
import { CurrentIdentity, type Identity } from "../../src/session/Identity.ts"
import * as ReturnTo from "../../src/session/internal/ReturnTo.ts"
import { AuthConfig } from "../../src/auth/AuthConfig.ts"
import { FactorRequired, Unauthenticated } from "../../src/auth/AuthError.ts"
import * as Accept from "../../src/http/Accept.ts"
import { RequestState } from "../../src/http/internal/RequestState.ts"
import * as RequestServices from "../../src/http/internal/RequestServices.ts"
import * as RouteOptions from "../../src/http/internal/RouteOptions.ts"
import * as NoStore from "../http/internal/NoStore.ts"
import * as Texts from "../http/Texts.ts"
import * as SessionCookie from "../session/internal/SessionCookie.ts"
import * as FactorGuard from "./internal/FactorGuard.ts"
import { factors, loginFactor } from "./internal/AuthPaths.ts"
import { firstOf } from "../session/internal/FirstGuard.ts"
import * as Flash from "../session/Flash.ts"
import * as StoredFlash from "../session/internal/StoredFlash.ts"
import * as PendingSession from "./signin/PendingSession.ts"
import { resumed, sessionKey } from "../../src/auth/internal/providers/ProviderFlows.ts"
import { PendingSignIns } from "../../src/auth/internal/PendingSignIns.ts"
import { type Theft, Trust } from "../../src/auth/Trust.ts"
import { Users } from "../../src/auth/Users.ts"
import * as RememberCookie from "./internal/RememberCookie.ts"
import * as SecurityLog from "./activity/SecurityLog.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Finds the account that a request comes from; `None` when this guard finds none. */
export type Guard<R> = Effect.Effect<Option.Option<Identity>, never, R>

const isRedirect = ({ headers, status }: HttpServerResponse.HttpServerResponse): boolean =>
  status >= 300 && status < 400 && headers["location"] !== undefined

/**
 * `Authentication([SessionGuard, RememberGuard], toSignIn("/login"))(handler)`: runs the handler with the account
 * that a guard finds as `CurrentIdentity`. A guest gets the fallback's redirect, or 401 when the fallback is no redirect.
 *
 * @example
 * ```ts
 * import { HttpLayerRouter } from "@effect/platform"
 * import { Effect } from "effect"
 * import { Authentication } from "effect-framework/routes/auth"
 * import { Respond } from "effect-framework/routes/session"
 *
 * const toStaffDoor = Authentication.toSignIn("/staff/login", "Sign in with your badge.")
 *
 * const requireStaff = Authentication.Authentication(
 *   [Authentication.SessionGuard, Authentication.RememberGuard],
 *   toStaffDoor
 * )
 *
 * // A remembered device does not open the till.
 * const requireSession = Authentication.Authentication([Authentication.SessionGuard], toStaffDoor)
 *
 * export const routes = [
 *   HttpLayerRouter.route("GET", "/stock", requireStaff(Effect.succeed(Respond.text("12 cups")))),
 *   HttpLayerRouter.route("GET", "/till", requireSession(Effect.succeed(Respond.text("40 €"))))
 * ]
 * ```
 */
export const Authentication = <const G extends ReadonlyArray<Guard<unknown>>, E2, R2>(
  guards: G,
  fallback: Handler<E2, R2>
) => {
  const guard = firstOf(guards)
  const refused = Effect.flatMap(fallback, (response) =>
    isRedirect(response) ? Effect.succeed(response) : unauthenticated
  )
  const refusal = notCached(() => refused)
  return <E, R>(handler: Handler<E, R>) =>
    Effect.flatMap(
      guard,
      (
        found
      ): Handler<
        E | E2 | FactorRequired | Unauthenticated,
        Exclude<R, CurrentIdentity> | R2 | SessionCookie.Needs | FactorGuard.Needs | AuthConfig
      > =>
        Option.isSome(found)
          ? notCached(() =>
              FactorGuard.checked(
                found.value,
                RequestServices.provideService(handler, CurrentIdentity, found.value),
                toFactors
              )
            )
          : refusal
    )
}

// The response differs once the user is signed in, so it must not be cached.
const notCached = <E, R>(handler: () => Handler<E, R>): Handler<E, R | RequestState> =>
  RequestServices.use((services: Context.Context<RequestState>) => {
    Context.get(services, RequestState).personal = true
    return handler()
  })

/** Fails with 401 and the realm of the settings. */
const unauthenticated: Effect.Effect<never, Unauthenticated, AuthConfig> = Effect.flatMap(
  AuthConfig,
  ({ realm }) => new Unauthenticated({ realm })
)

// Where the account adds the second factor that it needs; a client that follows no redirect is refused.
const toFactors = Effect.gen(function* () {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const isWebSocket = RouteOptions.of(yield* RequestState).webSocket !== undefined
  if (isWebSocket || Accept.prefersJson(headers["accept"])) return yield* new FactorRequired()
  const { factors: texts } = yield* Texts.of(AuthTexts)
  return yield* StoredFlash.redirect(factors.list, Flash.info(texts.required))
})

/** Stores the requested page and redirects to the sign-in page; a JSON client gets 401 and no redirect. */
export const toSignIn = (
  path: string,
  message?: string | ((texts: (typeof AuthTexts.Service)["login"]) => string)
): Handler<Unauthenticated, SessionCookie.Needs | AuthConfig> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    // A WebSocket follows no redirect, and is no page to return to.
    const isWebSocket = RouteOptions.of(yield* RequestState).webSocket !== undefined
    if (isWebSocket || Accept.prefersJson(request.headers["accept"])) return yield* unauthenticated
    const session = yield* SessionCookie.current
    const target = request.method === "GET" ? ReturnTo.parse(request.url) : undefined
    if (target !== undefined) yield* session.set(ReturnTo.key, target)
    if (typeof message === "string") yield* StoredFlash.set(Flash.info(message))
    else if (message !== undefined) {
      yield* StoredFlash.set(Flash.info(message((yield* Texts.of(AuthTexts)).login)))
    }
    // A sign-in whose password was right goes on where it is.
    const isPending = Option.isSome(yield* PendingSession.presented)
    return NoStore.seeOther(isPending ? loginFactor : path)
  })

/** Finds the account of the session; `None` for a guest. */
export const SessionGuard: Guard<SessionCookie.Needs> = SessionCookie.identity

type Needs = SessionCookie.Needs | SecurityLog.Needs | PendingSignIns | Trust

// Without a rotation: the device waits for its factor already.
const isWaiting = Effect.gen(function* () {
  const secret = yield* PendingSession.presented
  if (Option.isNone(secret)) return false
  return Option.isSome(yield* Effect.flatMap(PendingSignIns, ({ find }) => find(secret.value)))
})

// Only a theft clears the cookie: a concurrent response may just be setting a new one.
const endTheft = Effect.fnUntraced(function* ({ revoked, user }: Theft) {
  yield* RememberCookie.clear
  if (revoked > 0) yield* SecurityLog.record(user, { _tag: "Theft" })
})

/** Finds the account of a valid remember cookie, rotates the cookie and signs the account in. */
export const RememberGuard: Guard<Needs> = Effect.gen(function* () {
  const token = yield* RememberCookie.presented
  if (Option.isNone(token) || (yield* isWaiting)) return Option.none()
  const session = yield* SessionCookie.current
  const devices = yield* Trust
  const users = yield* Users
  const { rememberTtl } = yield* AuthConfig
  const resumption = yield* devices
    .resume(token.value, yield* RequestState, rememberTtl, yield* RememberCookie.deviceInfo)
    .pipe(Effect.catchTag("Theft", (theft) => Effect.as(endTheft(theft), Option.none())))
  if (Option.isNone(resumption)) return Option.none()
  const identity = yield* users.findById(resumption.value.token.user)
  if (Option.isNone(identity)) return Option.none()
  yield* RememberCookie.set(resumption.value.token)
  const { asOf } = resumption.value
  const pending = yield* Effect.flatMap(PendingSignIns, ({ resume }) => resume(identity.value.id, asOf))
  if (Option.isSome(pending)) {
    yield* PendingSession.keep(pending.value)
    yield* session.set(sessionKey, resumed)
    return Option.none()
  }
  yield* session[signIn](identity.value, asOf)
  yield* session.set(sessionKey, resumed)
  return identity
})
