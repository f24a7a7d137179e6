// The deletion that a person asks for: it waits, ends every session, and can be taken back until its day.
import { Context, Duration, Effect, Option } from "effect"
import * as EpochSeconds from "../../../src/session/internal/EpochSeconds.ts"
import { AccountHooks } from "../../../src/auth/internal/AccountHooks.ts"
import { DueDeletions } from "../../../src/auth/internal/AccountWorkers.ts"
import { Profiles } from "../../../src/auth/Profile.ts"
import * as Offered from "../internal/Offered.ts"
import { AccountChanges } from "../../../src/auth/internal/AccountChanges.ts"
import { AuthConfig } from "../../../src/auth/AuthConfig.ts"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { type AccountId, CurrentIdentity } from "../../../src/session/Identity.ts"
import { AfterResponse } from "../../../src/http/AfterResponse.ts"
import type { Language } from "../../../src/http/Languages.ts"
import * as Words from "../../../src/http/internal/text/Words.ts"
import * as Mailer from "../../../src/mail/Mailer.ts"
import * as RateLimit from "../../../src/session/RateLimit.ts"
import * as AuthRateLimits from "../../../src/auth/internal/AuthRateLimits.ts"
import * as Texts from "../../http/Texts.ts"
import * as BrowserSession from "../signin/BrowserSession.ts"
import * as AccountAccess from "../internal/AccountAccess.ts"
import * as LiveSession from "../internal/LiveSession.ts"
import * as AccountMail from "../internal/AccountMail.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"
import * as RequestServices from "../../../src/http/internal/RequestServices.ts"

/** Whether this program deletes accounts. */
export const isOffered: Effect.Effect<boolean> = RequestServices.use((services: Context.Context<never>) => {
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

/** The day of a deletion. */
export const dayOf = (due: number, { locale }: Language): string => Words.day(new Date(due * 1000), locale)

/** When the signed-in account will be deleted, in epoch seconds. */
export const current = Effect.gen(function* () {
  const { id } = yield* CurrentIdentity
  return yield* Effect.flatMap(AccountChanges, ({ deletion }) => deletion(id))
})

const request = Effect.gen(function* () {
  const { email, id, verified } = yield* CurrentIdentity
  // Over the limit the deletion waits: its message is never left out.
  if (verified) yield* RateLimit.spend(AuthRateLimits.rules.noticesPerRecipient, email)
  const { deletionGrace } = yield* AuthConfig
  const changes = yield* AccountChanges
  const due = yield* changes.requestDeletion(id, deletionGrace, { language: yield* AccountMail.asked })
  // Its owner, who has reset the password meanwhile, keeps the account.
  yield* LiveSession.orElse(changes.cancelDeletion(id))
  yield* AccountAccess.endSessions(id)
  yield* AccountAccess.revokeTokens(id)
  yield* BrowserSession.end
  yield* SecurityLog.record(id, { _tag: "DeletionRequested", due })
  const afterResponse = yield* AfterResponse
  const now = yield* EpochSeconds.seconds
  const ttl = Duration.seconds(Math.max(1, due - now))
  const message = AccountMail.compose("deletionRequested", { to: email, ttl })
  if (verified) yield* afterResponse.run(Mailer.sendOrLog(message))
  return due
}).pipe(Effect.uninterruptible)

/** Marks the signed-in account as to be deleted, ends its sessions, devices and API tokens, and tells its address, if that is proved. */
export const submit = Effect.gen(function* () {
  const due = yield* request
  const language = yield* Texts.language
  return { message: language.texts(AuthTexts).deletion.requested(dayOf(due, language)), due }
})

/** Keeps the account; `false` when it was not to be deleted. */
export const cancel = Effect.fnUntraced(function* (user: AccountId) {
  const changes = yield* AccountChanges
  const isKept = yield* changes.cancelDeletion(user)
  if (isKept) yield* SecurityLog.record(user, { _tag: "DeletionCancelled" })
  return isKept
}, Effect.uninterruptible)
