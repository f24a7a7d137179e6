// Offers the recovery of accounts whose owners have lost every factor.
import { Effect, Layer, Number } from "effect"
import type { AuthConfig } from "../../src/auth/AuthConfig.ts"
import { DueLostFactorRequests, everyTenMinutes } from "../../src/auth/internal/AccountWorkers.ts"
import { LostFactorRequests } from "../../src/auth/internal/LostFactorRequests.ts"
import type { AccountId } from "../../src/session/Identity.ts"
import type * as Job from "../../src/jobs/Job.ts"
import * as CronJob from "../../src/jobs/CronJob.ts"
import type { Mailer } from "../../src/mail/Mailer.ts"
import * as LostFactorOperations from "./lostfactors/LostFactorOperations.ts"

export type { DueLostFactorRequests } from "../../src/auth/internal/AccountWorkers.ts"

type Needs = AuthConfig | LostFactorRequests | Mailer

// Anyone who gets no message can ask for another one on the page.
const sendDue = (user: AccountId) =>
  LostFactorOperations.sendLink(user).pipe(
    Effect.map((isSent) => (isSent ? 1 : 0)),
    Effect.catchAllCause((cause) => Effect.as(Effect.logError("The link of a recovery was not sent", cause), 0))
  )

const sweep = Effect.flatMap(LostFactorRequests, ({ due }) =>
  Effect.map(Effect.flatMap(due, Effect.forEach(sendDue)), Number.sumAll)
)

const requests = Layer.effect(
  DueLostFactorRequests,
  Effect.map(Effect.context<Needs>(), (context) => ({ sweep: Effect.provide(sweep, context) }))
)

/**
 * Offers `/login/factor/recovery` to people who have lost every factor, and sends the links of recoveries whose delay
 * (`AUTH_FACTOR_RECOVERY_DELAY`) is over, by a periodic job. Provide the layers of the layout, the texts and the languages to
 * it, for its e-mails.
 *
 * @example
 * ```ts
 * import { App } from "effect-framework"
 * import { LostFactors } from "effect-framework/routes/auth"
 *
 * // A program has it unless it names its `workers`: here nobody deletes their account by themselves.
 * App.run({ name: "Teapots", pages: [], workers: LostFactors.layer })
 * ```
 */
export const layer: Layer.Layer<DueLostFactorRequests, never, Needs | Job.Handlers | CronJob.CronJobs> = Layer.discard(
  CronJob.toLayer(everyTenMinutes("auth.lost-factors"), () => Effect.flatMap(DueLostFactorRequests, (due) => due.sweep))
).pipe(Layer.provideMerge(requests))
