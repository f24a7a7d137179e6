// The one way to sign in: whatever has proved who a person is, their session begins here.
import type { HttpServerRequest } from "@effect/platform"
import { Effect, Option, Redacted, Schema } from "effect"
import type { Identity } from "../../src/session/Identity.ts"
import * as ApiEnvelope from "../errors/internal/ApiEnvelope.ts"
import * as InvalidPage from "../session/internal/InvalidPage.ts"
import * as SessionCookie from "../session/internal/SessionCookie.ts"
import * as Respond from "../session/Respond.ts"
import * as AccountFailures from "./api/AccountFailures.ts"
import * as AccountEvents from "./internal/AccountEvents.ts"
import * as PageTexts from "./internal/PageTexts.ts"
import * as Completion from "./signin/Completion.ts"
import * as SignInPage from "./signin/SignInPage.ts"
import * as SignInSteps from "./signin/SignInSteps.ts"

/** How the account was proved, and what the person wants. */
export interface Options {
  /** What the account's activity calls it: `an invitation`, `the company's directory`. */
  readonly by: string
  /** Whether the device stays signed in. */
  readonly remember?: boolean
}

const Nothing = Schema.Struct({})

/**
 * Signs in an account that a handler of the program has proved by means of its own, as the pages of the framework do: an account
 * with a second factor is asked for it first, the hooks run, the event is recorded and told, and the browser is led to the
 * page that it wanted. Prove the account in a POST: its CSRF check sees a revocation that happens meanwhile.
 *
 * @example
 * ```ts
 * import { Effect, Option } from "effect"
 * import { Users } from "effect-framework/auth"
 * import { SignIn } from "effect-framework/routes/auth"
 *
 * export const enter = Effect.fn("Invitation.enter")(function* (email: string) {
 *   const user = yield* Effect.flatMap(Users.Users, (users) => users.fetch(email))
 *   return yield* SignIn.complete(Option.getOrThrow(user), { by: "an invitation" })
 * })
 * ```
 */
export const complete = Effect.fn("SignIn.complete")(
  function* (user: Identity, { by, remember = false }: Options) {
    return yield* Completion.inBrowser(user, { by, remember })
  },
  // A hook has refused the account: its message is above the form of the sign-in page.
  Effect.catchTag("InvalidForm", (invalid) => InvalidPage.render(invalid, SignInPage.view())),
  Effect.catchTag("HookFailed", AccountEvents.refused)
)

const { InvalidCredentials, InvalidInput, Refused } = AccountFailures

const encode = Schema.encodeSync(Schema.Union(InvalidCredentials, InvalidInput, Refused))

// Also in a plain route: a client without cookies has no pages.
const refuseAs = (status: number) => (failure: Parameters<typeof encode>[0]) =>
  Effect.map(Effect.context<HttpServerRequest.HttpServerRequest>(), (context) =>
    ApiEnvelope.respond(failure, status, { ...encode(failure) }, context)
  )

/**
 * The same for a client without cookies, in a route or an endpoint: responds with the secret of its session, with 202 and a
 * pending sign-in, or with a refusal as the endpoints of accounts do.
 *
 * @example
 * ```ts
 * import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
 * import { Effect, Option, Schema } from "effect"
 * import { AuthError, Users } from "effect-framework/auth"
 * import { SignIn } from "effect-framework/routes/auth"
 * import { ApiHandlers } from "effect-framework/routes/server"
 *
 * const enter = HttpApiEndpoint.post("enter", "/enter")
 *   .setPayload(Schema.Struct({ badge: Schema.NonEmptyString }))
 *   .addError(AuthError.Forbidden)
 *
 * const Api = HttpApi.make("terminal").add(HttpApiGroup.make("terminal").add(enter))
 *
 * const badges = new Map([["4711", "ann@example.com"]])
 *
 * // A terminal at the counter keeps no cookies.
 * export const handlers = ApiHandlers.group(Api, "terminal", (terminal) =>
 *   terminal.handle("enter", ({ payload: { badge } }) =>
 *     Effect.gen(function* () {
 *       const users = yield* Users.Users
 *       const user = yield* users.fetch(badges.get(badge) ?? "")
 *       if (Option.isNone(user)) return yield* new AuthError.Forbidden({ reason: "This badge is unknown." })
 *       return yield* SignIn.completeBearer(user.value, { by: "a badge" })
 *     })
 *   )
 * )
 * ```
 */
export const completeBearer = Effect.fn("SignIn.completeBearer")(
  function* (user: Identity, { by }: Pick<Options, "by">) {
    const session = yield* SessionCookie.current
    // The CSRF check has done so for a page, before the account was proved; an endpoint has none.
    if (session.seenRevocation === undefined) yield* session.trackRevocations
    const outcome = yield* SignInSteps.complete(Nothing, user, { by, remember: false }, SignInSteps.byBearer)
    if (outcome._tag === "Pending") {
      const pending = Redacted.value(outcome.token.value)
      return Respond.json({ factors: outcome.kinds, pending }, { status: 202 })
    }
    // The account was revoked since it was proved.
    if (Option.isNone(outcome.granted)) {
      return yield* new InvalidCredentials({ error: (yield* PageTexts.texts).login.refused })
    }
    const { expires, secret } = outcome.granted.value
    return Respond.json({ account: outcome.identity, bearer: { token: Redacted.value(secret), expires } })
  },
  Effect.catchTag("InvalidForm", AccountFailures.asCredentials),
  AccountFailures.typed,
  Effect.catchTags({ InvalidCredentials: refuseAs(401), Forbidden: refuseAs(403), InvalidInput: refuseAs(422) })
)
