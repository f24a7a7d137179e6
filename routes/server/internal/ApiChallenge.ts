// The challenge of a 401: an `HttpApi` encodes the body of a failure, not its headers.
import { HttpServerResponse } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { AuthSettings } from "../../../src/auth/AuthSettings.ts"
import { challenge, defaultRealm } from "../../../src/http/internal/Challenge.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"

type Handler<E, R> = Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>

const challengeOf = (context: Context.Context<never>, status: number): string | undefined => {
  const known = Option.getOrUndefined(Context.getOption(context, RequestState))?.challenge
  if (known !== undefined || status !== 401) return known
  return challenge(Option.getOrUndefined(Context.getOption(context, AuthSettings))?.realm ?? defaultRealm)
}

/** Adds `WWW-Authenticate` to a 401 that has none, and to a 403 where a guard has set one. */
export const added = <E, R>(handler: Handler<E, R>): Handler<E, R> =>
  Effect.flatMap(handler, (response) =>
    (response.status !== 401 && response.status !== 403) || response.headers["www-authenticate"] !== undefined
      ? Effect.succeed(response)
      : Effect.map(Effect.context<never>(), (context) => {
          const line = challengeOf(context, response.status)
          return line === undefined ? response : HttpServerResponse.setHeader(response, "www-authenticate", line)
        })
  )
