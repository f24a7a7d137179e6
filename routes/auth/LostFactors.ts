// Offers the recovery of accounts whose owners have lost every factor.
import { Effect, Layer } from "effect"
import type { AuthSettings } from "../../src/auth/AuthSettings.ts"
import { DueRecoveries } from "../../src/auth/internal/AccountWorkers.ts"
import { FactorRecoveries } from "../../src/auth/FactorRecoveries.ts"
import type { AccountId } from "../../src/session/Identity.ts"
import type { Mailer } from "../../src/mail/Mailer.ts"
import * as DueWork from "./internal/DueWork.ts"
import * as LostFactorRequest from "./lostfactors/LostFactorRequest.ts"

export type { DueRecoveries } from "../../src/auth/internal/AccountWorkers.ts"

type Needs = AuthSettings | FactorRecoveries | Mailer

// Whoever gets no message can ask for another one on the page.
const sendDue = (user: AccountId) =>
  LostFactorRequest.sendLink(user).pipe(
    Effect.map(Number),
    Effect.catchAllCause((cause) => Effect.as(Effect.logError("The link of a recovery was not sent", cause), 0))
  )

const sweep: Effect.Effect<number, never, Needs> = Effect.flatMap(FactorRecoveries, ({ due }) =>
  DueWork.sweep(due, sendDue)
)

/**
 * Offers `/login/factor/recovery` to people who have lost every factor, and sends the links of recoveries whose delay
 * (`AUTH_FACTOR_RECOVERY_DELAY`) is over, about every ten minutes. Provide the layers of the layout, the texts and the languages
 * to it, for its e-mails.
 */
export const layer: Layer.Layer<DueRecoveries, never, Needs> = Layer.scoped(
  DueRecoveries,
  Effect.gen(function* () {
    const bound = Effect.provide(sweep, yield* Effect.context<Needs>())
    yield* DueWork.repeat(bound)
    return DueRecoveries.of({ sweep: bound })
  })
)
