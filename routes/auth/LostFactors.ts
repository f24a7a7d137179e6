// Offers the recovery of accounts whose owners have lost every factor.
import { Effect, Layer } from "effect"
import type { AuthConfig } from "../../src/auth/AuthConfig.ts"
import { DueLostFactorRequests } from "../../src/auth/internal/AccountWorkers.ts"
import { LostFactorRequests } from "../../src/auth/LostFactorRequests.ts"
import type { AccountId } from "../../src/session/Identity.ts"
import type { Mailer } from "../../src/mail/Mailer.ts"
import * as DueWork from "./internal/DueWork.ts"
import * as LostFactorOperations from "./lostfactors/LostFactorOperations.ts"

export type { DueLostFactorRequests } from "../../src/auth/internal/AccountWorkers.ts"

type Needs = AuthConfig | LostFactorRequests | Mailer

// Anyone who gets no message can ask for another one on the page.
const sendDue = (user: AccountId) =>
  LostFactorOperations.sendLink(user).pipe(
    Effect.map(Number),
    Effect.catchAllCause((cause) => Effect.as(Effect.logError("The link of a recovery was not sent", cause), 0))
  )

const sweep: Effect.Effect<number, never, Needs> = Effect.flatMap(LostFactorRequests, ({ due }) =>
  DueWork.sweep(due, sendDue)
)

/**
 * Offers `/login/factor/recovery` to people who have lost every factor, and sends the links of recoveries whose delay
 * (`AUTH_FACTOR_RECOVERY_DELAY`) is over, about every ten minutes. Provide the layers of the layout, the texts and the languages
 * to it, for its e-mails.
 */
export const layer: Layer.Layer<DueLostFactorRequests, never, Needs> = Layer.scoped(
  DueLostFactorRequests,
  Effect.gen(function* () {
    const bound = Effect.provide(sweep, yield* Effect.context<Needs>())
    yield* DueWork.repeat(bound)
    return DueLostFactorRequests.of({ sweep: bound })
  })
)
