// The operations of an account's life cycle as endpoints: those of the pages.
import { Effect, Option, type Redacted } from "effect"
import { AuthTexts } from "../../../src/auth/AuthTexts.ts"
import { CurrentIdentity } from "../../../src/session/Identity.ts"
import * as Texts from "../../http/Texts.ts"
import * as AccountExport from "../account/AccountExport.ts"
import { EmailTaken } from "./AccountFailures.ts"
import { asGuarded, message, redeemed, saying, withCheckedCookies, withJson } from "./AccountOperation.ts"
import * as AccountSessions from "../account/AccountSessions.ts"
import * as DeletionRequest from "../deletion/DeletionRequest.ts"
import * as EmailChange from "../address/EmailChange.ts"
import * as AccountMail from "../internal/AccountMail.ts"

export const email = EmailChange.overview.pipe(asGuarded)

export const changeEmail = Effect.flatMap(EmailChange.request, (address) =>
  message(({ emailChange }) => emailChange.sent(address))
).pipe(withJson, asGuarded)

export const cancelEmailChange = EmailChange.cancel.pipe(
  saying(({ emailChange }) => emailChange.cancelled),
  asGuarded
)

const taken = Effect.flatMap(Texts.of(AuthTexts), ({ emailChange }) => new EmailTaken({ error: emailChange.taken }))

const byToken = <E, R>(redeem: (token: Redacted.Redacted) => Effect.Effect<boolean, E, R>) =>
  EmailChange.limitedLinks(Effect.flatMap(AccountMail.sentToken, redeem))

export const redeemEmailChange = byToken(EmailChange.redeem).pipe(
  Effect.flatMap(
    redeemed(
      ({ emailChange }) => emailChange.done,
      ({ emailChange }) => emailChange.expired
    )
  ),
  Effect.catchTag("Duplicate", () => taken),
  withJson,
  asGuarded
)

export const undoEmailChange = byToken(EmailChange.undo).pipe(
  Effect.flatMap(
    redeemed(
      ({ emailUndo }) => emailUndo.done,
      ({ emailUndo }) => emailUndo.expired
    )
  ),
  Effect.catchTag("Duplicate", () => taken),
  withJson,
  withCheckedCookies
)

export const deletion = Effect.map(DeletionRequest.current, (due) => ({ due: Option.getOrNull(due) })).pipe(
  DeletionRequest.whenOffered,
  asGuarded
)

export const requestDeletion = DeletionRequest.submit.pipe(DeletionRequest.whenOffered, asGuarded)

export const cancelDeletion = Effect.flatMap(CurrentIdentity, ({ id }) => DeletionRequest.cancel(id)).pipe(
  saying(({ deletion: texts }) => texts.kept),
  DeletionRequest.whenOffered,
  asGuarded
)

export const exported = AccountExport.response.pipe(asGuarded)

export const signOutEverywhere = AccountSessions.endAll.pipe(
  saying(({ account }) => account.everywhereEnded),
  asGuarded
)
