// The guards as middleware of an `HttpApi`: the endpoints of a group need a signed-in account, the OpenAPI document says so,
// and the failures are typed.
import { HttpApiMiddleware, HttpApiSchema, HttpApiSecurity, HttpServerRequest, OpenApi } from "@effect/platform"
import { Context, Effect, Layer, Option, Schema } from "effect"
import { AuthSettings } from "../../src/auth/AuthSettings.ts"
import { Csrf, CsrfMismatch } from "../../src/auth/Csrf.ts"
import { CurrentIdentity } from "../../src/auth/Identity.ts"
import { Sessions } from "../../src/auth/Session.ts"
import { Trust } from "../../src/auth/Trust.ts"
import { Unauthenticated } from "../../src/auth/Unauthenticated.ts"
import { Users } from "../../src/auth/Users.ts"
import { Exchange } from "../../src/http/Exchange.ts"
import * as CsrfGuard from "../http/CsrfGuard.ts"
import * as RequestService from "../http/RequestService.ts"
import { firstOf } from "./FirstGuard.ts"
import { RememberGuard } from "./RememberGuard.ts"
import { SessionGuard } from "./SessionGuard.ts"

const Failure = Schema.Union(
  Unauthenticated.annotations(HttpApiSchema.annotations({ status: 401, description: "Nobody is signed in." })),
  CsrfMismatch.annotations(
    HttpApiSchema.annotations({ status: 403, description: "The header x-csrf-token has no token of this session." })
  )
)

const session = HttpApiSecurity.apiKey({ in: "cookie", key: "session" }).pipe(
  HttpApiSecurity.annotate(
    OpenApi.Description,
    "The cookie of a session. A request that changes something also has the header x-csrf-token, from GET /csrf."
  )
)

/**
 * Requires a signed-in account, by the cookies of a browser, and provides it as `CurrentIdentity`. `middleware(…)` of a
 * group guards all its endpoints, that of an API all its groups.
 */
export class ApiAuthentication extends HttpApiMiddleware.Tag<ApiAuthentication>()(
  "effect-framework/auth/ApiAuthentication",
  { provides: CurrentIdentity, failure: Failure, security: { session } }
) {}

const guard = firstOf([SessionGuard, RememberGuard])

const required = Effect.gen(function* () {
  const exchange = yield* Exchange
  exchange.personal = true
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const { realm } = yield* AuthSettings
  // Without a cookie nothing can be forged, and nobody is signed in.
  if (headers["cookie"] === undefined) return yield* new Unauthenticated({ realm })
  yield* CsrfGuard.header
  const found = yield* guard
  return Option.isSome(found) ? found.value : yield* new Unauthenticated({ realm })
})

/** The middleware over the session and the remember-me cookie, with the CSRF check for what changes something. */
export const layer: Layer.Layer<ApiAuthentication, never, AuthSettings | Csrf | Sessions | Trust | Users> =
  Layer.effect(
    ApiAuthentication,
    Effect.map(Effect.context<AuthSettings | Csrf | Sessions | Trust | Users>(), (program) => {
      const services = Context.pick(AuthSettings, Csrf, Sessions, Trust, Users)(program)
      const provided = RequestService.provideAll(required, services)
      // A boundary of the type system: `Pipeline.api` gives the exchange to every request, which Effect's types do not know.
      return ApiAuthentication.of({
        session: () => provided as Effect.Effect<CurrentIdentity["Type"], typeof Failure.Type>
      })
    })
  )
