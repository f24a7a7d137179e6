// The operations of a recovery after the loss of every factor as endpoints: those of the pages.
import { Effect, Option, type Redacted } from "effect"
import { Forbidden } from "../../src/auth/Forbidden.ts"
import type { BodyError } from "../../src/http/BodyError.ts"
import * as CsrfGuard from "../http/CsrfGuard.ts"
import * as Respond from "../http/Respond.ts"
import * as Texts from "../http/Texts.ts"
import { typed, Undelivered } from "./AccountFailures.ts"
import { pendingEnded, redeemed } from "./AccountMessages.ts"
import { withCheckedCookies, withJson, withoutCookies } from "./AccountRequest.ts"
import * as FactorRecoveryRequest from "./FactorRecoveryRequest.ts"
import * as FactorRecoveryStatus from "./FactorRecoveryStatus.ts"
import type { InvalidForm } from "./FormRequest.ts"
import * as LinkToken from "./LinkToken.ts"
import * as Offered from "./Offered.ts"
import * as PendingSession from "./PendingSession.ts"

const whenOffered = Offered.when(FactorRecoveryRequest.isOffered)

const startOver = Effect.zipRight(PendingSession.end, pendingEnded)

export const factorRecovery = Effect.flatMap(PendingSession.presented, FactorRecoveryRequest.current).pipe(
  Effect.flatMap(
    Option.match({ onNone: () => startOver, onSome: (one) => Effect.succeed(FactorRecoveryStatus.overview(one)) })
  ),
  whenOffered,
  typed
)

export const factorRecoveryBearer = Effect.flatMap(PendingSession.sent, FactorRecoveryRequest.current).pipe(
  Effect.flatMap(
    Option.match({ onNone: () => pendingEnded, onSome: (one) => Effect.succeed(FactorRecoveryStatus.overview(one)) })
  ),
  whenOffered,
  withJson,
  withoutCookies,
  typed
)

// An address that is not verified, or an e-mail that was not sent: there is nothing to fill in.
const refused = ({ error, status }: InvalidForm): Effect.Effect<never, Forbidden | Undelivered> =>
  status === 503 ? new Undelivered({ error }) : new Forbidden({ reason: error })

const requested = <R>(secret: Effect.Effect<Option.Option<Redacted.Redacted>, BodyError, R>) =>
  Effect.gen(function* () {
    const recovery = yield* FactorRecoveryRequest.request(secret)
    if (Option.isNone(recovery)) return Option.none()
    const value = FactorRecoveryStatus.told(recovery.value, yield* Texts.language)
    return Option.some(Respond.json(value, { status: 202 }))
  }).pipe(Effect.catchTag("InvalidForm", refused))

export const requestFactorRecovery = Effect.zipRight(CsrfGuard.header, requested(PendingSession.presented)).pipe(
  Effect.flatMap(Option.match({ onNone: () => startOver, onSome: Effect.succeed })),
  whenOffered,
  typed
)

export const requestFactorRecoveryBearer = requested(PendingSession.sent).pipe(
  Effect.flatMap(Option.match({ onNone: () => pendingEnded, onSome: Effect.succeed })),
  whenOffered,
  withJson,
  withoutCookies,
  typed
)

export const cancelFactorRecovery = FactorRecoveryRequest.limitedLinks(
  Effect.flatMap(LinkToken.sent, FactorRecoveryRequest.cancel)
).pipe(
  Effect.flatMap(
    redeemed(
      ({ factorRecovery: texts }) => texts.cancelled,
      ({ factorRecovery: texts }) => texts.expired
    )
  ),
  whenOffered,
  withJson,
  withoutCookies,
  typed
)

export const completeFactorRecovery = FactorRecoveryRequest.complete(LinkToken.sent).pipe(
  Effect.flatMap(
    redeemed(
      ({ factorRecovery: texts }) => texts.done,
      ({ factorRecovery: texts }) => texts.expired
    )
  ),
  whenOffered,
  withJson,
  withCheckedCookies,
  typed
)
