// Deletes accounts: at once, or when the day has come that their owner asked for, with the program's hooks.
import { Context, Effect, Layer, Number, Option } from "effect"
import { AccountChanges } from "../../src/auth/internal/AccountChanges.ts"
import type { AuthConfig } from "../../src/auth/AuthConfig.ts"
import { AccountHooks } from "../../src/auth/internal/AccountHooks.ts"
import { DueDeletions, everyTenMinutes } from "../../src/auth/internal/AccountWorkers.ts"
import { Profiles } from "../../src/auth/Profile.ts"
import type { SecurityEvents } from "../../src/auth/SecurityEvents.ts"
import type { Users } from "../../src/auth/Users.ts"
import type * as Job from "../../src/jobs/Job.ts"
import * as CronJob from "../../src/jobs/CronJob.ts"
import * as Mailer from "../../src/mail/Mailer.ts"
import type { AccountId } from "../../src/session/Identity.ts"
import * as AccountRemoval from "./deletion/AccountRemoval.ts"
import * as AccountMail from "./internal/AccountMail.ts"

export type { DueDeletions } from "../../src/auth/internal/AccountWorkers.ts"

/**
 * Deletes an account with its profile, sessions, tokens and trusted devices; `false` when there is no such account. The
 * hooks run as in `SqlAccountHooks.layer`: outside of a request, the one after the response runs before this returns.
 */
export const remove = Effect.fn("AccountDeletion.remove")(function* (user: AccountId) {
  const isRequest = Option.isSome(yield* AccountRemoval.currentRequest)
  return Option.isSome(yield* AccountRemoval.removeIf(user, Effect.succeed(true), isRequest ? "person" : "operator"))
})

type Needs = AccountChanges | AuthConfig | Mailer.Mailer | SecurityEvents | Users

// A failure keeps the account and its date: the next tick tries again.
const removeDue = ({ language, user }: { readonly user: AccountId; readonly language: string }) =>
  Effect.gen(function* () {
    const { claim } = yield* AccountChanges
    const removed = yield* AccountRemoval.removeIf(user, claim(user), "system")
    if (Option.isNone(removed)) return 0
    const { email: to, verified } = removed.value
    if (verified) yield* Mailer.sendOrLog(AccountMail.compose("accountDeleted", { to, asked: language }))
    return 1
  }).pipe(Effect.catchAllCause((cause) => Effect.as(Effect.logError("The deletion of an account failed", cause), 0)))

const sweep = Effect.flatMap(AccountChanges, ({ due }) =>
  Effect.map(Effect.flatMap(due, Effect.forEach(removeDue)), Number.sumAll)
)

const deletions = Layer.effect(
  DueDeletions,
  Effect.gen(function* () {
    const context = yield* Effect.context<Needs>()
    return DueDeletions.of({
      sweep: Effect.provide(sweep, context),
      hooks: yield* AccountHooks,
      profiles: Context.getOption(context, Profiles)
    })
  })
)

/**
 * Deletes accounts whose deletion is due, by a periodic job, and offers the page `/account/delete`. Provide the layers of the
 * hooks and of the profile to it, and for its e-mail those of the layout, the texts and the languages:
 * `AccountDeletion.layer.pipe(Layer.provide(Layer.mergeAll(hooks, profile, layout, languages)))`.
 */
export const layer: Layer.Layer<DueDeletions, never, Needs | Job.Handlers | CronJob.CronJobs> = Layer.discard(
  CronJob.toLayer(everyTenMinutes("auth.deletions"), () => Effect.flatMap(DueDeletions, (due) => due.sweep))
).pipe(Layer.provideMerge(deletions))
