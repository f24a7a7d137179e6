// The challenge of a 401: an `HttpApi` encodes the body of a failure, not its headers.
import { HttpServerResponse } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { AuthSettings } from "../../src/auth/AuthSettings.ts"
import { challenge, defaultRealm } from "../../src/auth/Challenge.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

/** Adds `WWW-Authenticate` to a 401 that has none. */
export const added = <E, R>(handler: Handler<E, R>): Handler<E, R> =>
  Effect.flatMap(handler, (response) =>
    response.status !== 401 || response.headers["www-authenticate"] !== undefined
      ? Effect.succeed(response)
      : Effect.map(Effect.context<never>(), (context) => {
          const realm = Option.match(Context.getOption(context, AuthSettings), {
            onNone: () => defaultRealm,
            onSome: (settings) => settings.realm
          })
          return HttpServerResponse.setHeader(response, "www-authenticate", challenge(realm))
        })
  )
