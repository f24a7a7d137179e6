// Whoever uses a factor has not lost it: a recovery of the account ends.
import { Effect } from "effect"
import { FactorRecoveries } from "../../../src/auth/FactorRecoveries.ts"
import type { AccountId } from "../../../src/session/Identity.ts"
import * as SecurityLog from "../activity/SecurityLog.ts"

/** Ends the recovery of an account whose factor was used, before anything is granted for it. One statement. */
export const endRecovery = Effect.fnUntraced(function* (user: AccountId) {
  const { cancel } = yield* FactorRecoveries
  if (yield* cancel(user)) yield* SecurityLog.record(user, { _tag: "FactorRecoveryCancelled", by: "factor" })
})
