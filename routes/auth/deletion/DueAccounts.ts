// Deletes accounts when their day has come, with the program's hooks, on several workers once.
import { Context, Effect, Layer, Option } from "effect"
import { AccountChanges } from "../../../src/auth/AccountChanges.ts"
import { AccountHooks } from "../../../src/auth/internal/AccountHooks.ts"
import type { AuthSettings } from "../../../src/auth/AuthSettings.ts"
import { DueDeletions } from "../../../src/auth/internal/AccountWorkers.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import { Profiles } from "../../../src/auth/Profile.ts"
import type { SecurityEvents } from "../../../src/auth/SecurityEvents.ts"
import type { Users } from "../../../src/auth/Users.ts"
import * as Mailer from "../../../src/mail/Mailer.ts"
import * as AccountRemoval from "./AccountRemoval.ts"
import * as ChangeMail from "../address/ChangeMail.ts"
import * as DueWork from "../internal/DueWork.ts"
import * as Offered from "../internal/Offered.ts"

type Needs = AccountChanges | AuthSettings | Mailer.Mailer | SecurityEvents | Users

// A failure keeps the account and its date: the next sweep tries again.
const removeDue = ({ language, user }: { readonly user: AccountId; readonly language: string }) =>
  Effect.gen(function* () {
    const { claim } = yield* AccountChanges
    const removed = yield* AccountRemoval.removeIf(user, claim(user), "system")
    if (Option.isNone(removed)) return 0
    yield* Mailer.sendOrLog(ChangeMail.compose("accountDeleted", { to: removed.value.email, asked: language }))
    return 1
  }).pipe(Effect.catchAllCause((cause) => Effect.as(Effect.logError("The deletion of an account failed", cause), 0)))

const sweep: Effect.Effect<number, never, Needs> = Effect.flatMap(AccountChanges, ({ due }) =>
  DueWork.sweep(due, removeDue)
)

/**
 * Deletes accounts whose deletion is due, about every ten minutes, and offers the page `/account/delete`. Provide the layers
 * of the hooks and of the profile to it, and for its e-mail those of the layout, the texts and the languages:
 * `AccountDeletion.layer.pipe(Layer.provide(Layer.mergeAll(hooks, profile, layout, languages)))`.
 */
export const layer: Layer.Layer<DueDeletions, never, Needs> = Layer.scoped(
  DueDeletions,
  Effect.gen(function* () {
    const context = yield* Effect.context<Needs>()
    const bound = Effect.provide(sweep, context)
    yield* DueWork.repeat(bound)
    return DueDeletions.of({
      sweep: bound,
      hooks: yield* AccountHooks,
      profiles: Context.getOption(context, Profiles)
    })
  })
)

/** Whether this program deletes accounts. */
export const isOffered: Effect.Effect<boolean> = Effect.contextWithEffect((services: Context.Context<never>) => {
  const worker = Context.getOption(services, DueDeletions)
  if (Option.isNone(worker)) return Effect.succeed(false)
  const hooks = Context.get(services, AccountHooks)
  const profiles = Option.getOrUndefined(Context.getOption(services, Profiles))
  const isSame = hooks === worker.value.hooks && profiles === Option.getOrUndefined(worker.value.profiles)
  if (isSame) return Effect.succeed(true)
  // It would delete accounts and leave what the program stores for them.
  return Effect.dieMessage(
    "AccountDeletion.layer has other hooks or another profile than the routes. Provide both to it: " +
      "AccountDeletion.layer.pipe(Layer.provide(Layer.merge(hooks, profile)))"
  )
})

/** The operation in a program that deletes accounts; 404 in any other. */
export const whenOffered = Offered.when(isOffered)
