// The session of a request: opened on first use, committed after the handler.
import { HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Cause, Context, Effect, type Option } from "effect"
import type { Identity } from "../../../src/session/Identity.ts"
import { type Session, Sessions } from "../../../src/session/Session.ts"
import { RequestState } from "../../../src/http/internal/RequestState.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

type Response = HttpServerResponse.HttpServerResponse
type Handler<E, R> = Effect.Effect<Response, E, R>

/** What a handler needs of the program to have a session. */
export type Needs = Sessions | RequestState | HttpServerRequest.HttpServerRequest

/** The session of the request that has these services. */
export const of = (services: Context.Context<Needs>): Session =>
  Context.get(services, Sessions).attach(
    Context.get(services, RequestState),
    Context.get(services, HttpServerRequest.HttpServerRequest).headers
  )

/** The session of this request. It is read from the store on first use. */
export const current: Effect.Effect<Session, never, Needs> = RequestServices.read(of)

/** The identity in the session. */
export const identity: Effect.Effect<Option.Option<Identity>, never, Needs> = RequestServices.use(
  (services: Context.Context<Needs>) => of(services).identity
)

/**
 * Writes the session before the response is sent, if the handler has asked for it. A typed failure becomes a response and keeps the changes of the session;
 * after a defect the session stays as it was.
 */
export const committed = <E, R>(handler: Handler<E, R>): Handler<E, R | RequestState> =>
  RequestServices.use((services: Context.Context<RequestState>) => {
    const state = Context.get(services, RequestState)
    const written = (isKnown: boolean, response?: Response): Effect.Effect<void> => {
      const { beforeResponse, session } = state
      const commit = isKnown && !state.lostRace && session !== undefined ? session.commit : Effect.void
      if (beforeResponse === undefined) return commit
      const streamed = response !== undefined && isStreamed(response)
      const discard = Effect.suspend(() => session?.discard ?? Effect.void)
      return held(commit, beforeResponse(streamed), discard)
    }
    return Effect.matchCauseEffect(handler, {
      onSuccess: (response) => {
        const writing = written(true, response)
        // A handler that never asked for the session has nothing to write.
        return writing === Effect.void ? Effect.succeed(response) : Effect.map(writing, () => response)
      },
      onFailure: (cause) => {
        const writing = written(Cause.isFailure(cause))
        return writing === Effect.void ? Effect.failCause(cause) : Effect.zipRight(writing, Effect.failCause(cause))
      }
    })
  })

// A client that goes away while its response waits leaves no session behind.
const held = (commit: Effect.Effect<void>, wait: Effect.Effect<void>, discard: Effect.Effect<void>) =>
  Effect.uninterruptibleMask((restore) => Effect.onInterrupt(Effect.zipRight(commit, restore(wait)), () => discard))

const isStreamed = ({ body }: Response): boolean =>
  body._tag === "Raw" ? typeof body.body !== "string" : body._tag !== "Empty" && body._tag !== "Uint8Array"
