// Requires a signed-in user: the guards run in turn, and the first that finds an account decides.
import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { CurrentIdentity, type Identity } from "../../src/auth/Identity.ts"
import * as ReturnTo from "../../src/auth/ReturnTo.ts"
import { AuthSettings } from "../../src/auth/AuthSettings.ts"
import { Unauthenticated } from "../../src/auth/Unauthenticated.ts"
import * as Accept from "../../src/http/Accept.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import * as NoStore from "../http/NoStore.ts"
import * as Respond from "../http/Respond.ts"
import * as SessionCookie from "../http/SessionCookie.ts"
import * as Flash from "./Flash.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

type Request = HttpServerRequest.HttpServerRequest
type Found<R> = Effect.Effect<Option.Option<Identity>, never, R>

/** Finds the account that a request comes from; `None` when this guard finds none. */
export type Guard<R> = Found<R>

const none: Found<never> = Effect.succeedNone

/** Runs the guards in turn until one of them finds an account. */
export const firstOf = <const G extends ReadonlyArray<Guard<unknown>>>(
  given: G
): Found<Effect.Effect.Context<G[number]>> => {
  // A boundary of the type system: a union of guards is a guard of the union.
  const guards = given as ReadonlyArray<Guard<Effect.Effect.Context<G[number]>>>
  return guards.reduceRight<Found<Effect.Effect.Context<G[number]>>>(
    (next, guard) => Effect.flatMap(guard, (found) => (Option.isSome(found) ? Effect.succeed(found) : next)),
    none
  )
}

const isRedirect = ({ headers, status }: HttpServerResponse.HttpServerResponse): boolean =>
  status >= 300 && status < 400 && headers["location"] !== undefined

/**
 * `Authentication([SessionGuard, RememberGuard], toSignIn("/login"))(handler)`: runs the handler with the account
 * that a guard finds as `CurrentIdentity`. A guest gets the fallback's redirect, or 401 when the fallback is no redirect.
 */
export const Authentication = <const G extends ReadonlyArray<Guard<unknown>>, E2, R2>(
  guards: G,
  fallback: Handler<E2, R2>
) => {
  const guard = firstOf(guards)
  const refusal = Effect.zipRight(
    notCached,
    Effect.flatMap(fallback, (response) => (isRedirect(response) ? Effect.succeed(response) : unauthenticated))
  )
  return <E, R>(handler: Handler<E, R>) =>
    Effect.flatMap(
      guard,
      (
        found
      ): Handler<E | E2 | Unauthenticated, Exclude<R, CurrentIdentity> | R2 | Request | Exchange | AuthSettings> =>
        Option.isSome(found) ? withIdentity(handler, found.value) : refusal
    )
}

// The response differs once the user is signed in, so it must not be cached.
const notCached = Effect.map(Exchange, (exchange) => {
  exchange.personal = true
})

/** Fails with 401 and the realm of the settings. */
const unauthenticated: Effect.Effect<never, Unauthenticated, AuthSettings> = Effect.flatMap(
  AuthSettings,
  ({ realm }) => new Unauthenticated({ realm })
)

/**
 * The handler for this account. A context that holds a request was made for this request, so what is added to its map
 * reaches no other; `provideService` would copy all services of the program and compare them twice.
 */
const withIdentity = <E, R>(
  handler: Handler<E, R>,
  identity: Identity
): Handler<E, Exclude<R, CurrentIdentity> | Request | Exchange> =>
  Effect.contextWithEffect((context: Context.Context<Request | Exchange>) => {
    const { unsafeMap } = context
    Context.get(context, Exchange).personal = true
    if (!unsafeMap.has(HttpServerRequest.HttpServerRequest.key)) {
      return Effect.provideService(handler, CurrentIdentity, identity)
    }
    unsafeMap.set(CurrentIdentity.key, identity)
    // A boundary of the type system: the identity is there, it was just put there.
    return handler as Handler<E, Exclude<R, CurrentIdentity>>
  })

/** Stores the requested page and redirects to the sign-in page; a JSON client gets 401 and no redirect. */
export const toSignIn = (
  path: string,
  message?: string
): Handler<Unauthenticated, SessionCookie.Needs | AuthSettings> =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (Accept.prefersJson(request.headers["accept"])) return yield* unauthenticated
    const session = yield* SessionCookie.current
    const target = request.method === "GET" ? ReturnTo.parse(request.url) : undefined
    if (target !== undefined) yield* session.set(ReturnTo.key, target)
    if (message !== undefined) yield* Flash.set({ tone: "plain", text: message })
    return Respond.seeOther(path, NoStore.headers)
  })
