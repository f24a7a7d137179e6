// Routes that only some programs offer: in any other program they do not exist.
import { HttpServerError, HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"

type Request = HttpServerRequest.HttpServerRequest

/** The operation where the condition holds; 404 where it does not. */
export const when =
  <E2, R2>(condition: Effect.Effect<boolean, E2, R2>) =>
  <A, E, R>(
    operation: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | E2 | HttpServerError.RouteNotFound, R | R2 | Request> =>
    Effect.flatMap(condition, (isOffered): Effect.Effect<A, E | HttpServerError.RouteNotFound, R | Request> =>
      isOffered
        ? operation
        : Effect.flatMap(
            HttpServerRequest.HttpServerRequest,
            (request) => new HttpServerError.RouteNotFound({ request })
          )
    )
