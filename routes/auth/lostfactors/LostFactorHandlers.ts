// The operations of a recovery after the loss of every factor as endpoints: those of the pages.
import { Effect, Option, type Redacted } from "effect"
import type { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { Forbidden } from "../../../src/auth/AuthError.ts"
import type { BodyError } from "../../../src/http/BodyError.ts"
import * as CsrfGuard from "../../session/internal/CsrfGuard.ts"
import * as Respond from "../../session/Respond.ts"
import * as Texts from "../../http/Texts.ts"
import { Undelivered } from "../api/AccountFailures.ts"
import {
  pendingEnded,
  redeemed,
  startOver,
  withCheckedCookies,
  withJson,
  withoutCookies
} from "../api/AccountOperation.ts"
import * as LostFactorOperations from "./LostFactorOperations.ts"
import type { InvalidForm } from "../../session/FormState.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as Offered from "../internal/Offered.ts"
import * as PendingSession from "../signin/PendingSession.ts"

const whenOffered = Offered.when(LostFactorOperations.isOffered)

const orEnd =
  <E1, R1>(ended: Effect.Effect<never, E1, R1>) =>
  <A, E, R>(found: Effect.Effect<Option.Option<A>, E, R>): Effect.Effect<A, E | E1, R | R1> =>
    Effect.flatMap(found, Option.match({ onNone: () => ended, onSome: (one) => Effect.succeed(one) }))

const shown = <E, R>(secret: Effect.Effect<Option.Option<Redacted.Redacted>, E, R>) =>
  Effect.map(Effect.flatMap(secret, LostFactorOperations.current), Option.map(LostFactorOperations.overview))

export const factorRecovery = shown(PendingSession.presented).pipe(orEnd(startOver), whenOffered)

export const factorRecoveryBearer = shown(PendingSession.sent).pipe(
  orEnd(pendingEnded),
  whenOffered,
  withJson,
  withoutCookies
)

// An address that is not verified, or an e-mail that was not sent: there is nothing to fill in.
const refused = ({ error, status }: InvalidForm): Effect.Effect<never, Forbidden | Undelivered> =>
  status === 503 ? new Undelivered({ error }) : new Forbidden({ reason: error })

const requested = <R>(secret: Effect.Effect<Option.Option<Redacted.Redacted>, BodyError, R>) =>
  Effect.gen(function* () {
    const recovery = yield* LostFactorOperations.request(secret)
    if (Option.isNone(recovery)) return Option.none()
    const value = LostFactorOperations.told(recovery.value, yield* Texts.language)
    return Option.some(Respond.json(value, { status: 202 }))
  }).pipe(Effect.catchTag("InvalidForm", refused))

export const requestFactorRecovery = Effect.zipRight(CsrfGuard.header, requested(PendingSession.presented)).pipe(
  orEnd(startOver),
  whenOffered
)

export const requestFactorRecoveryBearer = requested(PendingSession.sent).pipe(
  orEnd(pendingEnded),
  whenOffered,
  withJson,
  withoutCookies
)

const expired = ({ factorRecovery: texts }: typeof AuthTexts.Service): string => texts.expired

export const cancelFactorRecovery = LostFactorOperations.limitedLinks(
  Effect.flatMap(AccountMail.sentToken, LostFactorOperations.cancel)
).pipe(
  Effect.flatMap(redeemed(({ factorRecovery: texts }) => texts.cancelled, expired)),
  whenOffered,
  withJson,
  withoutCookies
)

export const completeFactorRecovery = LostFactorOperations.complete(AccountMail.sentToken).pipe(
  Effect.flatMap(redeemed(({ factorRecovery: texts }) => texts.done, expired)),
  whenOffered,
  withJson,
  withCheckedCookies
)
